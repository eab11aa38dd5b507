// Sentences of the page with their places filled: the page brings them in its language.

/** *sentence* with each `%(name)s` replaced by the value of that name. */
export function filled(sentence, values = {}) {
  return sentence.replace(/%\((\w+)\)s/g, (place, name) => values[name] ?? place);
}

/** A function from a key and values to the sentence of *sentences* (an object of strings, such as a `dataset`). */
export function speaker(sentences) {
  return (key, values) => {
    if (!(key in sentences)) throw new Error(`The page has no words for ${key}.`);
    return filled(sentences[key], values);
  };
}
