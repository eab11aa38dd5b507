"""Figures published in "华容道之最" (ten posts, November 2008), for comparison. Nothing is computed from them.

Pairs are a value and the number of layouts that have it, counted as in the posts: for the classic game one of two
left-right mirror images, otherwise one of four. `layouts` is a slip: see `SLIP`.
"""

PUBLISHED: dict[str, object] = {
    "layouts": 363_494,
    "layouts_mod_lr": 181_962,
    "layouts_mod_v4": 90_981,
    "end_states": 684,
    "dictionary": 121_969,
    "classic_hengdaolima": 81,
    "classic_hardest": [[19, 2], [93, 1], [138, 3], [135, 2], [97, 2], [56, 6]],
    "mirror_lr_max": [165, 1],
    "mirror_ud_max": [262, 2],
    "mirror_rot_max": [268, 2],
    "mirror_rot_min": [16, 8],
    "diameter": 268,
    "strict_lr_max": [239, 2],
    "strict_ud_max": [283, 2],
    "strict_rot_max": [282, 2],
    "strict_diameter": [287, 2],
    "strict_lr_min": [50, 25],
    "strict_ud_min": [71, 73],
    "strict_rot_min": [48, 30],
    "nodes_of_the_published_search": 1_354_392_637_781,
}
SLIP = (
    "363,494 is a slip for 363,480: 444 layouts are their own left-right mirror images, so the 181,962 that the posts\n"
    "count of one in two are 2 * 181,962 - 444 = 363,480 in all; for 363,494 there would have to be 430."
)
LABELS = {
    "layouts": "all layouts",
    "layouts_mod_lr": "... one of two left-right images",
    "layouts_mod_v4": "... one of four images",
    "end_states": "end states of the dictionary",
    "dictionary": "layouts in the dictionary",
    "classic_hengdaolima": "横刀立马, classic",
    "classic_hardest": "hardest classic, 0 to 5 horizontals",
    "mirror_lr_max": "镜影 left-right, longest",
    "mirror_ud_max": "倒影 upside down, longest",
    "mirror_rot_max": "反影 rotated, longest",
    "mirror_rot_min": "反影 rotated, shortest",
    "diameter": "longest shortest path",
    "strict_lr_max": "strict 镜影, longest",
    "strict_ud_max": "strict 倒影, longest",
    "strict_rot_max": "strict 反影, longest",
    "strict_diameter": "strict longest shortest path",
    "strict_lr_min": "strict 镜影, shortest",
    "strict_ud_min": "strict 倒影, shortest",
    "strict_rot_min": "strict 反影, shortest",
    "nodes_of_the_published_search": "nodes of the published search",
}
