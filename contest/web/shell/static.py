"""Static files under names that change with their content, so that browsers may keep them for good."""

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage


class HashedStaticFiles(ManifestStaticFilesStorage):
    # Off by default; without it a hashed module would go on importing the files without a hash.
    support_js_module_import_aggregation = True
