import { useState } from 'react'
import { readStored, writeStored } from './browser-storage.ts'

const prefix = 'lanyard.draft.'

/** Deletes every draft of this tab, since the next user did not write them. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}

/** Begins a draft that another screen goes on with. */
export const storeDraft = (name: string, draft: object) =>
  writeStored(`${prefix}${name}`, draft, 'sessionStorage')

/** A draft and the functions that change it. */
interface StoredDraft<Draft> {
  readonly draft: Draft
  readonly change: (changed: Partial<Draft>) => void
  /** Deletes the stored draft. The screen keeps its content. */
  readonly forget: () => void
}

/**
 * A form's content, stored for this tab, so that a reload or a visit to another screen loses nothing.
 *
 * @param name - name of the draft, with the account's address
 * @param empty - content if nothing is stored
 * @param request - content that this visit requires, regardless of the stored draft
 */
export function useStoredDraft<Draft extends object>(
  name: string,
  empty: Draft,
  request: Partial<Draft> = {},
): StoredDraft<Draft> {
  const key = `${prefix}${name}`
  const [draft, setDraft] = useState<Draft>(() => ({ ...readDraft(key, empty), ...request }))
  return {
    draft,
    change: (changed) => {
      const next = { ...draft, ...changed }
      setDraft(next)
      writeStored(key, next, 'sessionStorage')
    },
    forget: () => writeStored(key, undefined, 'sessionStorage'),
  }
}

function readDraft<Draft extends object>(key: string, empty: Draft): Draft {
  const stored = readStored(key, 'sessionStorage')
  const fits =
    typeof stored === 'object' &&
    stored !== null &&
    // An earlier version of the page may have stored another shape.
    Object.entries(empty).every(
      ([name, value]) => typeof value !== 'string' || typeof Reflect.get(stored, name) === 'string',
    )
  return fits ? { ...empty, ...stored } : empty
}
