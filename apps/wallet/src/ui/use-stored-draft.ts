import { useState } from 'react'

const prefix = 'lanyard.draft.'

/** Forgets every draft of this tab: whoever signs in next has not filled them in. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}

/** A draft with what can be done about it. */
interface StoredDraft<Draft> {
  readonly draft: Draft
  readonly change: (changed: Partial<Draft>) => void
  /** Keeps it no longer; what is on the screen stays. */
  readonly forget: () => void
}

/**
 * What somebody is filling in, kept for this tab: a reload or a look at another screen loses nothing.
 *
 * @param name of the draft, with the account's address
 * @param empty where nothing is kept
 * @param asked what this visit asks for, whatever was kept
 */
export function useStoredDraft<Draft extends object>(
  name: string,
  empty: Draft,
  asked: Partial<Draft> = {},
): StoredDraft<Draft> {
  const key = `${prefix}${name}`
  const [draft, setDraft] = useState<Draft>(() => ({ ...readDraft(key, empty), ...asked }))
  return {
    draft,
    change: (changed) => {
      const next = { ...draft, ...changed }
      setDraft(next)
      try {
        sessionStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Storage is blocked: it lasts until the screen is left.
      }
    },
    forget: () => sessionStorage.removeItem(key),
  }
}

function readDraft<Draft extends object>(key: string, empty: Draft): Draft {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    const fits =
      typeof stored === 'object' &&
      stored !== null &&
      // An earlier version of the page may have kept something else.
      Object.entries(empty).every(
        ([name, value]) => typeof value !== 'string' || typeof Reflect.get(stored, name) === 'string',
      )
    return fits ? { ...empty, ...stored } : empty
  } catch {
    return empty
  }
}
