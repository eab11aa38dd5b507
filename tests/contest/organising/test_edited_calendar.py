import pytest

from contest.organising.season import edited

# A rule with a step for each second since 1970; the offset of a time in this zone takes minutes.
ZONE = """BEGIN:VTIMEZONE
TZID:Own
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0000
TZOFFSETTO:+0000
RRULE:FREQ=SECONDLY
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700102T000000
TZOFFSETFROM:+0000
TZOFFSETTO:+0100
RRULE:FREQ=SECONDLY
END:DAYLIGHT
END:VTIMEZONE
"""


def read(begin: str, end: str) -> edited.Edited:
    event = f"BEGIN:VEVENT\nUID:desk-r1@h\nDTSTART{begin}\n{end}\nEND:VEVENT\n"
    return edited.read(f"BEGIN:VCALENDAR\n{ZONE}{event}END:VCALENDAR\n", "h")


@pytest.mark.parametrize("zone", [";TZID=Europe/Prague:", ";TZID=W. Europe Standard Time:", ":"])
def test_times_of_known_zones_and_without_a_zone_are_read(zone):
    assert [*read(f"{zone}20261201T100000", f"DTEND{zone}20261202T100000").times] == [1]


@pytest.mark.parametrize(
    ("begin", "end", "fault"),
    [
        (";TZID=Own:20261201T100000", "DTEND;TZID=Own:20261202T100000", "time zone"),
        (":20261201T100000Z", "DTEND;TZID=Own:20261202T100000", "time zone"),
        (";TZID=Nowhere/Else:20261201T100000", "DTEND;TZID=Nowhere/Else:20261202T100000", "time zone"),
        (":99991201T100000Z", "DURATION:P999W", "no end"),
    ],
)
def test_a_zone_of_the_files_own_and_an_end_beyond_all_time_are_faults(begin, end, fault):
    found = read(begin, end)
    assert not found.times
    assert fault in found.faults[0]
