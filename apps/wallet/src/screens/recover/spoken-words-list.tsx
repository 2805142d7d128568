import { t } from '../../i18n/t.ts'
import type { RecoveryRequest } from '../../recovery/recovery-link.ts'
import { spokenWords } from '../../recovery/spoken-words.ts'

/** The words that two people compare by phone. They are English in every language. */
export function SpokenWordsList({ request }: { request: RecoveryRequest }) {
  return (
    <ol
      aria-label={t('The six words')}
      lang="en"
      translate="no"
      className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-2"
    >
      {spokenWords(request).map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words can be equal, and their order is fixed
        <li key={index} className="flex gap-2 rounded-field bg-sunken px-3 py-2.5 font-mono">
          <span className="text-muted" aria-hidden="true">
            {index + 1}
          </span>
          {word}
        </li>
      ))}
    </ol>
  )
}
