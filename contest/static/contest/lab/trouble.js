// What is wrong with a text, in the page's language.

/** The words for a PuzzleError, with its place where it has one. */
export function troubleWords(words, { code, values, index, line, column }) {
  const said = words(`error-${code}`, { size_words: values.size, ...values });
  if (line !== null) return words("atPlace", { words: said, line, column: column ?? 1 });
  if (index !== null) return words("atCharacter", { words: said, index: index + 1 });
  return words("plainly", { words: said });
}
