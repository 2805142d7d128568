import { calculatePreVerificationGas, type UserOperation } from '@lanyard/accounts'
import { type GasUsed, startBundler } from './bundler.ts'
import type { Enter } from './contestant.ts'
import { lanyard } from './lanyard.ts'
import { eoaOwner, passkeyOwner } from './owners.ts'
import { permissionless } from './permissionless.ts'
import { simpleAccount } from './simple-account.ts'

/** Each one deploys its account with a first operation and then makes a second one. */
const contestants = {
  'Lanyard, EOA': lanyard(eoaOwner),
  'permissionless, EOA': permissionless(eoaOwner),
  SimpleAccount: simpleAccount,
  'Lanyard, passkey': lanyard(passkeyOwner),
  'permissionless, passkey': permissionless(passkeyOwner),
} satisfies Record<string, Enter>

export type ContestantName = keyof typeof contestants
export type GasFigures = Readonly<
  Record<ContestantName, { readonly first: GasUsed; readonly later: GasUsed }>
>

/** An existing account, so that no operation pays for creating it. */
const payee = '0x00000000000000000000000000000000000000ad'

/** The same for all, so that only the executed and transmitted data differ. */
const limitsAndFees = {
  callGasLimit: 100_000n,
  verificationGasLimit: 1_000_000n,
  maxFeePerGas: 10_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  paymasterAndData: '0x',
} as const

/** Exact and the same on every machine: keys, limits, fees and payments are fixed. */
export async function measureGas(): Promise<GasFigures> {
  const figures: Partial<Record<ContestantName, GasFigures[ContestantName]>> = {}
  for (const [name, enter] of Object.entries(contestants))
    figures[name as ContestantName] = await measure(enter) // Object.entries loses the key type
  return figures as GasFigures // the loop covers every name
}

async function measure(enter: Enter): Promise<{ first: GasUsed; later: GasUsed }> {
  await using chain = await startBundler()
  await chain.fund(payee)
  const contestant = await enter(chain)
  await chain.fund(contestant.sender)
  const callData = await contestant.encodeCalls([{ to: payee, value: 1n, data: '0x' }])

  const bundle = async (nonce: bigint, initCode: UserOperation['initCode']) => {
    const unpriced = {
      ...limitsAndFees,
      sender: contestant.sender,
      nonce,
      initCode,
      callData,
      preVerificationGas: 0n,
    }
    const preVerificationGas = calculatePreVerificationGas({
      ...unpriced,
      signature: contestant.stubSignature,
    })
    const operation = { ...unpriced, preVerificationGas }
    return chain.bundle({ ...operation, signature: await contestant.sign(operation) })
  }
  return { first: await bundle(0n, contestant.initCode), later: await bundle(1n, '0x') }
}
