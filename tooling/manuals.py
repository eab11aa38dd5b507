"""The man page of each command and its completions, made of what its parser explains.

`dev.py manuals` writes them; a test says when they are out of date. The wheels carry them to where man and shells look.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from tooling.folders import ROOT

PUZZLES = ("sokoban", "klotski", "knights", "games")


def files() -> dict[Path, str]:
    """Every file and what stands in it."""
    made = {}
    for command in (*PUZZLES, "leitai"):
        module = import_module(f"solvers.{command}.__main__" if command in PUZZLES else "leitai.__main__")
        parser: argparse.ArgumentParser = module.read_arguments()
        folder = ROOT / ("docs" if command in PUZZLES else "client")
        made[folder / f"man/{command}.1"] = page(command, parser)
        for shell, complete in COMPLETIONS.items():
            made[folder / f"completions/{command}.{shell}"] = complete(command, parser)
    return made


def write() -> list[Path]:
    """Write the files that are not as they must be, and return them."""
    changed = {path: text for path, text in files().items() if not path.exists() or path.read_text() != text}
    for path, text in changed.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return list(changed)


def commands_of(parser: argparse.ArgumentParser) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """What stands behind the name of the command, such as `solve`: its line of help, and what it takes."""
    for action in parser._actions:  # argparse tells nobody in another way
        if isinstance(action, argparse._SubParsersAction):
            words = {choice.dest: choice.help or "" for choice in action._choices_actions}
            return {name: (words[name], inner) for name, inner in action.choices.items()}
    return {}


def taken_by(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Its options and the words it takes, in order."""
    return [action for action in parser._actions if not isinstance(action, argparse._SubParsersAction)]


# The man page (man(7))


def page(command: str, parser: argparse.ArgumentParser) -> str:
    """The page in section 1."""
    first, _end, more = " ".join((parser.description or "").split()).partition(". ")
    examples, _between, codes = (parser.epilog or "").partition("exit codes: ")
    lines = [f'.TH {command.upper()} 1 "" "Leitai"', ".SH NAME", f"{command} \\- {_plain(first.rstrip('.'))}"]
    lines += [".SH SYNOPSIS", _synopsis(command, parser)]
    if more:
        lines += [".SH DESCRIPTION", _plain(more)]
    if commands := commands_of(parser):
        lines.append(".SH COMMANDS")
        for name, (words, inner) in commands.items():
            lines += [
                f".SS {name}",
                _plain(f"{words[:1].upper()}{words[1:]}."),
                ".PP",
                _synopsis(f"{command} {name}", inner),
            ]
            lines += _paragraphs(inner)
    lines += [".SH OPTIONS", *_paragraphs(parser)]
    lines += [
        ".SH EXAMPLES",
        ".nf",
        *(_quote(_plain(line.strip())) for line in examples.splitlines()[1:] if line.strip()),
        ".fi",
    ]
    lines += [".SH EXIT STATUS", _plain(f"{' '.join(codes.split())}.")]
    return "\n".join(lines) + "\n"


def _synopsis(command: str, parser: argparse.ArgumentParser) -> str:
    words = [f"\\fB{command}\\fR"]
    if any(action.option_strings for action in taken_by(parser)):
        words.append("[OPTION]...")
    words += ["COMMAND ..."] if commands_of(parser) else []
    words += [_bracket(action) for action in taken_by(parser) if not action.option_strings]
    return _quote(" ".join(words))


def _bracket(action: argparse.Action) -> str:
    name = _plain(_value(action))
    return {"?": f"[{name}]", "*": f"[{name}]...", "+": f"{name}..."}.get(str(action.nargs), name)


def _paragraphs(parser: argparse.ArgumentParser) -> Iterator[str]:
    """A paragraph for each thing taken."""
    for action in taken_by(parser):
        name = ", ".join(f"\\fB{_plain(option)}\\fR" for option in action.option_strings)
        value = _plain(_value(action)) if action.nargs != 0 else ""
        yield from (".TP", _quote(f"{name} {value}".strip()), _quote(_plain(_help(parser, action))))


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    return (action.help or "") % {"default": action.default, "prog": parser.prog}


def _value(action: argparse.Action) -> str:
    if action.metavar is None and action.choices:
        return "|".join(map(str, action.choices))
    return str(action.metavar or action.dest.upper())


def _plain(text: str) -> str:
    """Without what troff would take for its own."""
    return text.replace("\\", "\\e").replace("-", "\\-")


def _quote(line: str) -> str:
    return f"\\&{line}" if line.startswith((".", "'")) else line


# The completions: commands, options and the choices of options; where nothing fits, names of files


def _levels(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """What is taken behind each command, and by "" before there is one."""
    return {"": parser} | {name: inner for name, (_words, inner) in commands_of(parser).items()}


def _choices(parser: argparse.ArgumentParser) -> list[str]:
    """The words it takes of which there are only a few."""
    return [str(choice) for action in taken_by(parser) if not action.option_strings for choice in action.choices or ()]


def _options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in taken_by(parser) if action.option_strings]


def for_bash(command: str, parser: argparse.ArgumentParser) -> str:
    """See bash(1), "Programmable Completion"."""
    commands = commands_of(parser)
    values, words = [], []
    for name, inner in _levels(parser).items():
        options = [option for action in _options(inner) for option in action.option_strings if option.startswith("--")]
        listed = [*(commands if not name else ()), *_choices(inner), *options]
        words.append(f'    "{name}") words="{" ".join(listed)}" ;;')
        for action in _options(inner):
            if action.choices:
                asked = " | ".join(f'"{name} {option}"' for option in action.option_strings)
                values.append(f'    {asked}) words="{" ".join(map(str, action.choices))}" ;;')
    return f"""\
# Completion of {command} for bash. Made by `dev.py manuals`.
_{command}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command="" words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ " {" ".join(commands)} " == *" ${{COMP_WORDS[at]}} "* ]]; then command=${{COMP_WORDS[at]}}; break; fi
  done
  case "$command" in
{chr(10).join(words)}
  esac
  case "$command $before" in
{chr(10).join(values or ['    "") ;;'])}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o default -F _{command} {command}
"""


def for_zsh(command: str, parser: argparse.ArgumentParser) -> str:
    """See zshcompsys(1), `_describe`."""
    commands = commands_of(parser)
    values, words = [], []
    for name, inner in _levels(parser).items():
        named = [(one, help_) for one, (help_, _inner) in commands.items()] if not name else []
        said = [_entry(word, help_) for word, help_ in [*named, *((word, "") for word in _choices(inner))]]
        options = [
            _entry(option, _help(inner, action))
            for action in _options(inner)
            for option in action.option_strings
            if option.startswith("--")
        ]
        words += [f'    "{name}")', f"      offered=({' '.join(said)})", f"      options=({' '.join(options)}) ;;"]
        for action in _options(inner):
            if action.choices:
                asked = " | ".join(f'"{name} {option}"' for option in action.option_strings)
                said = [_entry(str(choice), "") for choice in action.choices]
                values.append(f"    {asked}) offered=({' '.join(said)}) options=() ;;")
    return f"""\
#compdef {command}
# Completion of {command} for zsh. Made by `dev.py manuals`.
_{command}() {{
  local command="" at
  local -a offered options
  for ((at = 2; at < CURRENT; at++)); do
    if [[ " {" ".join(commands)} " == *" $words[at] "* ]]; then command=$words[at]; break; fi
  done
  case "$command" in
{chr(10).join(words)}
  esac
  case "$command $words[CURRENT-1]" in
{chr(10).join(values or ['    "") ;;'])}
  esac
  local found=1
  (($#offered)) && _describe value offered && found=0
  (($#options)) && _describe -o option options && found=0
  ((found)) || return 0
  _files
}}
_{command} "$@"
"""


def _entry(word: str, words: str) -> str:
    """For `_describe`: a word, and in one line what it is."""
    plain = word.replace(":", "\\:")
    return _literal(f"{plain}:{words}" if words else plain)


def for_fish(command: str, parser: argparse.ArgumentParser) -> str:
    """See fish's `complete`."""
    commands = commands_of(parser)
    lines = [f"# Completion of {command} for fish. Made by `dev.py manuals`."]
    for name, (words, _inner) in commands.items():
        lines.append(f"complete -c {command} -n __fish_use_subcommand -f -a {name} -d {_literal(words)}")
    for name, inner in _levels(parser).items():
        when = f"'__fish_seen_subcommand_from {name}'" if name else "__fish_use_subcommand" if commands else ""
        begin = " ".join([f"complete -c {command}", *([f"-n {when}"] if when else [])])
        if chosen := _choices(inner):
            lines.append(f"{begin} -f -a {_literal(' '.join(chosen))}")
        for action in _options(inner):
            names = [f"-l {one[2:]}" if one.startswith("--") else f"-s {one[1:]}" for one in action.option_strings]
            takes = [] if action.nargs == 0 else ["-r"]
            if action.choices:
                takes = ["-x", "-a", _literal(" ".join(map(str, action.choices)))]
            lines.append(" ".join([begin, *names, *takes, "-d", _literal(_help(inner, action))]))
    return "\n".join(lines) + "\n"


def _literal(text: str) -> str:
    """In quotation marks, so that no shell takes anything in it for its own."""
    return "'" + text.replace("'", "'\\''") + "'"


COMPLETIONS = {"bash": for_bash, "zsh": for_zsh, "fish": for_fish}


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "client"))
    print(*write(), sep="\n")
