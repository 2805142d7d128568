import type { AccountOwner, Call } from '@lanyard/accounts'
import type { SmartBalance } from '@lanyard/calls'
import { isSameCall, tryDecode } from '@lanyard/calls'
import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeAddSigner, encodeDeposit, signerId } from '@lanyard/smart-balance'
import { type Address, decodeFunctionData } from 'viem'
import { trpc } from '../api/trpc.ts'
import { toCall } from '../calls/to-call.ts'
import { WalletError } from '../errors/wallet-error.ts'
import type { SmartBalanceNetwork } from '../networks/use-networks.ts'
import { fetchTrustedSigners } from '../sign-in/trusted-signers.ts'

/** The expected deposit. */
export interface ExpectedDeposit {
  readonly smartBalance: SmartBalance
  /** Units of 6 decimals. */
  readonly amount: bigint
  /** Owners whose keys this device can verify. */
  readonly signers: readonly AccountOwner[]
}

/**
 * Verifies that the calls deposit exactly this amount, and otherwise only pin keys. Pins of keys that this
 * device cannot verify (a passkey created elsewhere, a recovery address) are left out: a pinned key can sign
 * the deposit away, and an owner is pinned when it is added.
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

/** Whether the call is byte for byte a pin of some key. */
function isPin(call: Call, smartBalance: Address): boolean {
  const pin = tryDecode(() => decodeFunctionData({ abi: smartBalanceAbi, data: call.data }))
  return pin?.functionName === 'addSigner' && isSameCall(call, encodeAddSigner(smartBalance, pin.args[0]))
}

/**
 * The calls that deposit, planned by the service, which knows whether a key must be pinned.
 *
 * @param amount - units of 6 decimals
 * @throws WalletError CALLS_DIFFER; errors of the service
 */
export async function planDeposit(
  account: Address,
  { chainId, smartBalance }: SmartBalanceNetwork,
  amount: bigint,
  signal: AbortSignal,
): Promise<readonly Call[]> {
  const [{ transactions }, signers] = await Promise.all([
    trpc.smartBalance.deposit.mutate(
      { walletAddress: account, network: chainId, amount: amount.toString() },
      { signal },
    ),
    fetchTrustedSigners(account, signal),
  ])
  return verifyDeposit(transactions.map(toCall), { smartBalance, amount, signers })
}
