import type { AccountOwner, Call } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeAddSigner, encodeDeposit, signerId } from '@lanyard/smart-balance'
import { type Address, decodeFunctionData } from 'viem'
import { isSameCall } from '../calls/is-same-call.ts'
import { tryDecode } from '../calls/try-decode.ts'
import { WalletError } from '../errors/wallet-error.ts'
import type { SmartBalance } from '../networks/use-networks.ts'

/** What a deposit has to be. */
export interface ExpectedDeposit {
  readonly smartBalance: SmartBalance
  /** 6-decimals units. */
  readonly amount: bigint
  /** Owners whose keys this device can vouch for. */
  readonly signers: readonly AccountOwner[]
}

/**
 * Checks that the calls deposit exactly this amount and do nothing else but pin keys. Pins of keys that this device
 * cannot vouch for (a passkey that was made elsewhere, a recovery address) are left out: whoever is pinned can sign the
 * deposit away, and an owner is pinned when it is added.
 *
 * @returns the calls to sign
 * @throws WalletError CALLS_DIFFER
 */
export function verifyDeposit(
  calls: readonly Call[],
  { smartBalance: { address, token }, amount, signers }: ExpectedDeposit,
): readonly Call[] {
  const expected = encodeDeposit({
    token: token.token,
    smartBalance: address,
    amount,
    decimals: token.decimals,
  })
  const pins = calls.slice(expected.length)
  if (
    !expected.every((call, index) => isSameCall(calls[index], call)) ||
    !pins.every((call) => isPin(call, address))
  )
    throw new WalletError('CALLS_DIFFER')

  const trusted = signers.map((signer) => encodeAddSigner(address, signerId(signer)))
  return [...expected, ...trusted.filter((pin) => pins.some((call) => isSameCall(call, pin)))]
}

/** Byte for byte a pin of some key. */
function isPin(call: Call, smartBalance: Address): boolean {
  const pin = tryDecode(() => decodeFunctionData({ abi: smartBalanceAbi, data: call.data }))
  return pin?.functionName === 'addSigner' && isSameCall(call, encodeAddSigner(smartBalance, pin.args[0]))
}
