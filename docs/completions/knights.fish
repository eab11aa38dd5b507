# Completion of knights for fish. Made by `dev.py manuals`.
complete -c knights -s h -l help -d 'show this help message and exit'
complete -c knights -l version -d 'show program'\''s version number and exit'
complete -c knights -l path -d 'say every square of the path'
complete -c knights -l leaper -r -d 'another leaper than the knight 1,2; by search'
complete -c knights -l json -d 'answer by a JSON object'
complete -c knights -l jsonl -d 'read a question on each line of standard input'
complete -c knights -l picture -r -d 'draw the three cases as SVG'
complete -c knights -l greedy -d 'measure the greedy method from ROW,COLUMN to everywhere'
