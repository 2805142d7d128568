import { useContext } from 'react'
import { LanyardContext } from './lanyard-context.ts'
import { english, type Texts } from './texts.ts'

/** The words of a component: its own before those of the provider, and those before English. */
export function useTexts(own?: Texts): typeof english & Pick<Texts, 'errors'> {
  const texts = useContext(LanyardContext)?.texts
  return { ...english, ...texts, ...own, errors: { ...texts?.errors, ...own?.errors } }
}
