"""Build data files of pictures from the files of others."""
