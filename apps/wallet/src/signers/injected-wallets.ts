import { escapeText } from '@lanyard/ui'
import { type Address, type EIP1193Provider, stringToHex } from 'viem'

/** A wallet of this browser (EIP-6963), which may hold the recovery key. */
export interface InjectedWallet {
  readonly id: string
  readonly name: string
  readonly provider: EIP1193Provider
}

/**
 * Asks the browser's wallets to announce themselves (EIP-6963), and reports each one.
 *
 * @returns a function that stops listening
 */
export function findInjectedWallets(onWallet: (wallet: InjectedWallet) => void): () => void {
  const announced = (event: Event) => {
    // An extension can put anything into the event, so it is validated before use.
    const { info, provider } = (event as CustomEvent<{ info?: unknown; provider?: unknown }>).detail ?? {}
    const { uuid, name } = (info ?? {}) as { uuid?: unknown; name?: unknown }
    if (typeof uuid !== 'string' || typeof name !== 'string' || !isProvider(provider)) return
    onWallet({ id: uuid, name: escapeText(name, 40), provider })
  }
  addEventListener('eip6963:announceProvider', announced)
  dispatchEvent(new Event('eip6963:requestProvider'))
  return () => removeEventListener('eip6963:announceProvider', announced)
}

const isProvider = (value: unknown): value is EIP1193Provider =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'

/** Has a wallet sign a text with `personal_sign`. @throws the wallet's error if the person declines. */
export async function signWithInjectedWallet(
  { provider }: InjectedWallet,
  address: Address,
  text: string,
): Promise<string> {
  await provider.request({ method: 'eth_requestAccounts' })
  return provider.request({ method: 'personal_sign', params: [stringToHex(text), address] })
}
