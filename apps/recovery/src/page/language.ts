import { speak, t } from '../words.ts'
import { de } from './de.ts'
import { byId } from './dom.ts'

const languages = { en: { locale: 'en', texts: {} }, de: { locale: 'de', texts: de } } as const

/** The English of each element that the page contains, before it is translated. */
const originals = new Map<HTMLElement, string>()

/**
 * Shows a page in the browser's language, and in another one that the person chooses. A person who opens a file in an emergency
 * finds it in the language of the machine.
 *
 * @param title - English, of the page
 * @param onChange - shows again what the scripts wrote
 */
export function startLanguage(title: string, onChange: () => void): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-t]'))
    originals.set(element, (element.textContent ?? '').replace(/\s+/g, ' ').trim())
  const select = byId('language', HTMLSelectElement)
  const show = (code: keyof typeof languages) => {
    select.value = code
    speak(languages[code])
    document.documentElement.lang = code
    document.title = t(title)
    for (const [element, text] of originals) element.textContent = t(text)
  }
  show(navigator.languages.find((code) => /^(de|en)\b/.test(code))?.startsWith('de') ? 'de' : 'en')
  select.addEventListener('change', () => {
    show(select.value === 'de' ? 'de' : 'en')
    onChange()
  })
}
