// The page of Sokoban's laboratory: each section by itself.

import { opened } from "../opening.js";
import { PathSection } from "./path-section.js";
import { RebuildSection } from "./rebuild-section.js";
import { SavitchSection } from "./savitch-section.js";
import { SeriesSection } from "./series-section.js";

const root = document.querySelector("[data-sokoban]");
const { facts, words } = opened(root);
const part = (name) => root.querySelector(`[data-section="${name}"]`);

new SeriesSection(part("series"), words, facts);
new PathSection(part("paths"), words);
new RebuildSection(part("rebuild"), words, facts);
new SavitchSection(part("savitch"), words);
