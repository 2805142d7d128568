// Runs before the first paint, so that neither a chosen theme, a font that is in the cache nor a language flashes. A
// file of its own: the content security policy allows no inline script. `@lanyard/ui` writes the values.
const { dataset } = document.documentElement
const languages = ['en', 'de']
const settings = document.querySelector('meta[name="lanyard-brand"]')
const wanted = [settings && JSON.parse(settings.content).language, ...navigator.languages]
try {
  const theme = localStorage.getItem('lanyard.theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  if (localStorage.getItem('lanyard.font')) dataset.font = ''
  wanted.unshift(localStorage.getItem('lanyard.language'))
} catch {
  // Storage is blocked: the theme of the system and the language of the browser stay.
}
document.documentElement.lang =
  wanted.map((tag) => tag?.slice(0, 2)).find((tag) => languages.includes(tag)) ?? 'en'
