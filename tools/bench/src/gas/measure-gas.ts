import { type Call, calculatePreVerificationGas, type SignedUserOperation } from '@lanyard/accounts'
import { settlementTokenAddress } from '@lanyard/devnet'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { type GasUsed, startBundler } from './bundler.ts'
import { delegated, type Enter, lanyard, permissionless, simpleAccount } from './contestants.ts'
import { eoaOwner, passkeyOwner } from './owners.ts'

/** Each one deploys its account with a first operation and then makes a second one. */
const contestants = {
  'Lanyard, EOA': lanyard(eoaOwner),
  'permissionless, EOA': permissionless(eoaOwner),
  SimpleAccount: simpleAccount,
  'Lanyard, passkey': lanyard(passkeyOwner),
  'permissionless, passkey': permissionless(passkeyOwner),
  'Lanyard, EIP-7702': delegated,
} satisfies Record<string, Enter>

export type ContestantName = keyof typeof contestants

/** The operations that are measured: each pair begins with the same state. */
export const measured = ['first', 'later', 'first ERC-20', 'later ERC-20'] as const
export type GasFigures = Readonly<
  Record<ContestantName, Readonly<Record<(typeof measured)[number], GasUsed>>>
>

/** An existing account that has the token, so that no operation pays for creating either. */
const payee = '0x00000000000000000000000000000000000000ad'

const native: Call = { to: payee, value: 1n, data: '0x' }
const token: Call = {
  to: settlementTokenAddress,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [payee, 1n] }),
}

/** The same for all, so that only the executed and transmitted data differ. */
const limitsAndFees = {
  callGasLimit: 100_000n,
  verificationGasLimit: 1_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  paymasterAndData: '0x',
} as const

/**
 * The later operation offers more, so that what the first one has left in EntryPoint does not pay for it: its account
 * transfers the rest, as almost every operation does outside of benches. Both are five bytes of calldata, one of them zero.
 */
const maxFees = { first: 10_000_000_000n, later: 11_000_000_000n } as const

/** Exact and the same on every machine: keys, limits, fees and payments are fixed. */
export async function measureGas(): Promise<GasFigures> {
  const figures: Partial<Record<ContestantName, GasFigures[ContestantName]>> = {}
  for (const [name, enter] of Object.entries(contestants)) {
    const [[first, later], [firstOfToken, laterOfToken]] = await measure(enter)
    // Object.entries loses the key type
    figures[name as ContestantName] = {
      ...{ first, later },
      ...{ 'first ERC-20': firstOfToken, 'later ERC-20': laterOfToken },
    }
  }
  return figures as GasFigures // the loop covers every name
}

type FirstAndLater = readonly [first: GasUsed, later: GasUsed]

async function measure(enter: Enter): Promise<readonly [native: FirstAndLater, token: FirstAndLater]> {
  await using chain = await startBundler()
  await chain.fund(payee)
  const contestant = await enter(chain)
  await chain.fund(contestant.sender)
  for (const holder of [payee, contestant.sender] as const) await chain.fundWithToken(holder)
  const { entryPoint } = contestant

  const bundle = async (
    callData: Hex,
    which: keyof typeof maxFees,
    authorization?: SignedUserOperation['authorization'],
  ) => {
    const unpriced = {
      ...limitsAndFees,
      ...(entryPoint && { entryPoint }),
      sender: contestant.sender,
      nonce: which === 'first' ? 0n : 1n,
      initCode: which === 'first' ? contestant.initCode : '0x',
      maxFeePerGas: maxFees[which],
      callData,
      preVerificationGas: 0n,
    }
    const preVerificationGas = calculatePreVerificationGas({
      ...unpriced,
      signature: contestant.stubSignature,
    })
    const operation = { ...unpriced, preVerificationGas }
    const signature = await contestant.sign(operation)
    return chain.bundle({ ...operation, signature, ...(authorization && { authorization }) })
  }
  const both = async (call: Call): Promise<FirstAndLater> => {
    const callData = await contestant.encodeCalls([call])
    const first = await bundle(callData, 'first', await contestant.authorize?.())
    return [first, await bundle(callData, 'later')]
  }
  const before = await chain.client.snapshot()
  const ofNative = await both(native)
  await chain.client.revert({ id: before })
  return [ofNative, await both(token)]
}
