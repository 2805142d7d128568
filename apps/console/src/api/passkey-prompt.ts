import { startAuthentication } from '@simplewebauthn/browser'
import { useSyncExternalStore } from 'react'

/** The schema has `string` where the library has the standard's literals. */
type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

let isOpen = false
const listeners = new Set<() => void>()

function setOpen(open: boolean): void {
  isOpen = open
  for (const listener of listeners) listener()
}

/** Lets the passkey sign an act. @returns the header with which the service accepts it */
export async function askPasskey(options: unknown): Promise<Record<string, string>> {
  setOpen(true)
  try {
    const answer = await startAuthentication({ optionsJSON: options as AuthenticationOptions })
    return { 'lanyard-confirmation': btoa(JSON.stringify(answer)) }
  } finally {
    setOpen(false)
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the browser asks for a passkey that confirms an act. */
export const usePasskeyPrompt = (): boolean => useSyncExternalStore(subscribe, () => isOpen)
