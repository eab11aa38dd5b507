// Checks that a submission's leaf is in the tree that a checkpoint signs (RFC 6962; rules/merkle.py is its twin).

import { sha256 } from "./sha256.js";

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

export const leafHash = (leaf) => sha256(Uint8Array.of(0, ...bytesOf(leaf)));
export const nodeHash = (left, right) => sha256(Uint8Array.of(1, ...bytesOf(left), ...bytesOf(right)));

// Whether the proof, hashes in hexadecimal, leads from the leaf at the index to the root of so many leaves.
export function isIncluded(leaf, index, size, proof, root) {
  if (index < 0 || index >= size) return false;
  let [here, last, found] = [index, size - 1, leafHash(leaf)];
  for (const hash of proof) {
    if (last === 0) return false;
    if (here % 2 === 1 || here === last) {
      found = nodeHash(hash, found);
      while (here && here % 2 === 0) [here, last] = [here / 2, Math.floor(last / 2)];
    } else {
      found = nodeHash(found, hash);
    }
    [here, last] = [Math.floor(here / 2), Math.floor(last / 2)];
  }
  return last === 0 && found === root;
}

function show(place) {
  const { leaf, preimage, index, size, proof, root, yes, no } = place.dataset;
  const isOwn = !preimage || sha256(preimage) === leaf;
  const isThere = isIncluded(leaf, Number(index), Number(size), proof ? proof.split(" ") : [], root);
  place.textContent = isOwn && isThere ? yes : no;
  place.hidden = false;
}

if (globalThis.document) for (const place of document.querySelectorAll("[data-inclusion]")) show(place);
