// The words of the page's language.

export function word(name, values = []) {
  return chrome.i18n.getMessage(name, values.map(String));
}

/** Fill every element that names a message, and say which language the page is in. */
export function fillWords() {
  document.documentElement.lang = chrome.i18n.getUILanguage();
  document.title = word("name");
  for (const element of document.querySelectorAll("[data-message]")) element.textContent = word(element.dataset.message);
}
