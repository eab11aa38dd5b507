// What a pasted text comes to: the verdict by the judge's rules, and what it almost is, to be offered and never taken
// silently (rule 6.10).

import { replay } from "../rules/game.js";
import { turnedBack } from "../rules/moves.js";
import { candidates, judge } from "../rules/reading.js";
import { shorterWalks } from "../rules/walks.js";

const SYMMETRIES = [1, 2, 3, 4, 5, 6, 7];
const MAX_TEXTS = 10;
const TURNING_BUDGET = 2_000_000;
const LONGEST_TO_SHORTEN = 50_000; // moves, so that nobody waits who only wants to send

/**
 * The judgement of *text* on *levels* as `judge` gives it, and besides
 *
 *     turned    {level, symmetry, replay}: the level that it solves turned or mirrored, where it solves none as it is
 *     others    further solutions in the text: {level, replay}, the one judged left out
 *     letter    the first impossible step, however it is written in the text; "" where there is none
 *     shorter   the same pushes with shorter walks, or ""
 */
export function find(levels, text) {
  const judgement = judge(levels, text);
  const { outcome, replay: result, level } = judgement;
  const isSolved = outcome === "solved";
  const others = judgement.solved.filter((one) => one.level !== level || one.replay.lurd !== result.lurd);
  const read = isSolved ? [] : candidates(text).filter(({ moves }) => moves?.steps);
  const turned = turnedSolution(levels, read.slice(0, MAX_TEXTS).map(({ moves }) => moves));
  const shorter = isSolved && result.moves <= LONGEST_TO_SHORTEN ? shorterWalks(levels[level], result.lurd) : "";
  return { ...judgement, others, turned, letter: letterAt(read, judgement), shorter };
}

/** Which of the blocks *read* the mistake is in is known by its place in the text. */
function letterAt(read, { index, step }) {
  if (step === null) return "";
  const block = read.find(({ start, moves }) => moves.steps.length >= step && start + moves.indexOf(step - 1) === index);
  return block ? block.moves.steps[step - 1] : "";
}

/**
 * The first of *levels*, then of the symmetries 1 to 7, that one of *texts* solves: {level, symmetry, replay} with the
 * moves turned back, or null. The twin of turned_solution in solvers/sokoban/reading/turned.py.
 */
export function turnedSolution(levels, texts, budget = TURNING_BUDGET) {
  for (const [place, level] of levels.entries()) {
    if (level.unjudgeable) continue;
    for (const { steps } of texts) {
      for (const symmetry of SYMMETRIES) {
        const result = replay(level, { steps: turnedBack(steps, symmetry), indexOf: () => null });
        if (result.verdict === "solved") return { level: place, symmetry, replay: result };
        budget -= result.moves;
        if (budget <= 0) return null;
      }
    }
  }
  return null;
}
