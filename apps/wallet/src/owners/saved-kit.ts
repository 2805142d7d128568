import type { Address } from 'viem'

const keyOf = (account: Address) => `lanyard.kit.${account.toLowerCase()}`

/** When the recovery kit was saved in this browser, in Unix milliseconds. */
export function kitSavedAt(account: Address): number | undefined {
  try {
    const time = Number(localStorage.getItem(keyOf(account)) ?? Number.NaN)
    return Number.isSafeInteger(time) ? time : undefined
  } catch {
    return undefined // storage is blocked
  }
}

export function rememberSavedKit(account: Address, time: number): void {
  try {
    localStorage.setItem(keyOf(account), String(time))
  } catch {
    // Storage is blocked: the card does not say when it was saved.
  }
}
