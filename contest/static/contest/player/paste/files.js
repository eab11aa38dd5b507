// The text of a file that is dropped or chosen.

const UTF_16 = { "255,254": "utf-16le", "254,255": "utf-16be" }; // by the file's first two bytes

/** Bytes as text: in UTF-16 with its mark, in UTF-8, or in the Chinese encoding that older programs write. */
export function decoded(bytes) {
  const mark = new Uint8Array(bytes.slice(0, 2)).join();
  if (mark in UTF_16) return new TextDecoder(UTF_16[mark]).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}
