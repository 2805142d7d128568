import { createTexts } from './create-texts.ts'
import { locale } from './locale.ts'

/** German, by the English text. */
export const de: Readonly<Record<string, string>> = {
  'Preparing…': 'Wird vorbereitet…',
  Cancel: 'Abbrechen',
  Close: 'Schließen',
  'Like the system': 'Wie das System',
  Light: 'Hell',
  Dark: 'Dunkel',
  Theme: 'Erscheinungsbild',
  '{minutes} min {seconds} s': '{minutes} min {seconds} s',
  '(opens the explorer in a new tab)': '(öffnet den Explorer in einem neuen Tab)',
  Language: 'Sprache',
  Copy: 'Kopieren',
  Copied: 'Kopiert',
  Share: 'Teilen',
  'Select it by hand': 'Bitte von Hand markieren',
}

/** The texts of these components. */
export const { t } = createTexts(locale === 'de' ? de : {})
