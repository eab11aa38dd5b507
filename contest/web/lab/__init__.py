"""The lab: pages to play with and read about Sokoban and other puzzles.

`views` of all pages · `solver` and `machine`, its public attempts · the list of `programs` · `pictures` of trees, drawn
for the reader's level or game · `speed`, the hall that measures players · `covers`, a picture of each puzzle ·
`knight`, the knight's form and path · `records` and charts of Klotski · `answers` for the Klotski script ·
`sentences`, the scripts' messages.
"""
