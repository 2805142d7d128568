import { delegatedDeployment, verifyAuthorization } from '@lanyard/accounts'
import type { DelegatedSigner } from '@lanyard/client'
import {
  type Address,
  createPublicClient,
  custom,
  getAddress,
  type Hex,
  isHex,
  numberToHex,
  type PublicClient,
  type SignedAuthorization,
  toHex,
} from 'viem'
import type { InjectedWallet } from './injected-wallets.ts'

/** Why the wallet of a person's EOA cannot go on. */
export type EoaWalletProblem =
  /** The wallet signs no EIP-7702 authorisations for pages. */
  | 'NO_AUTHORIZATIONS'
  /** The pasted authorisation is for another network, nonce or contract, or of another key. */
  | 'OTHER_AUTHORIZATION'
  /** The wallet's own network shows another Safe than the service does. */
  | 'OTHER_SAFE'
  /** The transaction is in a block, and failed. */
  | 'REVERTED'
  /** The wallet stays on another network. */
  | 'OTHER_NETWORK'

export class EoaWalletError extends Error {
  override readonly name = 'EoaWalletError'
  readonly problem: EoaWalletProblem

  constructor(problem: EoaWalletProblem) {
    super(problem)
    this.problem = problem
  }
}

type Authorization = Parameters<DelegatedSigner['signAuthorization']>[0]

/** The provider's type knows only the methods that standards name. */
type Request = (given: { readonly method: string; readonly params?: readonly unknown[] }) => Promise<unknown>

const requestOf = ({ provider }: InjectedWallet): Request => provider.request as Request

/** Asks the wallet for the account to use. @throws the wallet's error if the person declines */
export async function connectEoa(wallet: InjectedWallet): Promise<Address> {
  const accounts = await requestOf(wallet)({ method: 'eth_requestAccounts' })
  const [first] = Array.isArray(accounts) ? (accounts as unknown[]) : []
  return getAddress(String(first))
}

/**
 * Methods with which wallets sign an EIP-7702 authorisation for a page. No standard names one yet: the first two have the
 * parameters that proposals have, the last is Privy's. Most wallets of browsers refuse all, since whoever is delegated to can take
 * everything.
 */
const methods: readonly (readonly [string, (given: Authorization) => unknown])[] = [
  ['wallet_signAuthorization', toParameters],
  ['eth_signAuthorization', toParameters],
  [
    'eth_sign7702Authorization',
    ({ address, chainId, nonce }) => ({ contract: address, chain_id: chainId, nonce }),
  ],
]

function toParameters({ address, chainId, nonce }: Authorization) {
  return { address, contractAddress: address, chainId: numberToHex(chainId), nonce: numberToHex(nonce) }
}

/** EIP-1193: unsupported. JSON-RPC 2.0: no such method, invalid parameters. EIP-1474: method not supported. */
const unsupported = new Set([4200, -32601, -32602, -32004])

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : undefined

/**
 * An EOA in a wallet of this browser, as a signer of builds. Each authorisation is verified: a wallet may answer another contract.
 *
 * @param pasted - an authorisation that was signed elsewhere, in place of the wallet's
 * @throws EoaWalletError; the wallet's error if the person declines
 */
export function toDelegatedSigner(
  wallet: InjectedWallet,
  address: Address,
  pasted?: SignedAuthorization,
): DelegatedSigner {
  const request = requestOf(wallet)
  return {
    address,
    async signTypedData({ domain, types, primaryType, message }) {
      await switchTo(wallet, Number(domain?.chainId))
      const text = JSON.stringify({ domain, types, primaryType, message }, (_key, value: unknown) =>
        typeof value === 'bigint' ? toHex(value) : value,
      )
      return (await request({ method: 'eth_signTypedData_v4', params: [address, text] })) as Hex
    },
    async signAuthorization(authorization) {
      const signed = pasted ?? (await askForAuthorization(request, authorization))
      const verified = await verifyAuthorization(
        signed,
        { eoa: address, chainId: authorization.chainId },
        delegatedDeployment,
      )
      if (verified.ok && signed.nonce === authorization.nonce) return signed
      throw new EoaWalletError(pasted ? 'OTHER_AUTHORIZATION' : 'NO_AUTHORIZATIONS')
    },
  }
}

async function askForAuthorization(request: Request, given: Authorization): Promise<SignedAuthorization> {
  for (const [method, parametersOf] of methods) {
    try {
      const read = readAuthorization(await request({ method, params: [parametersOf(given)] }), given)
      if (read) return read
    } catch (error) {
      if (!unsupported.has(codeOf(error) ?? 0)) throw error
    }
  }
  throw new EoaWalletError('NO_AUTHORIZATIONS')
}

/** Wallets that are on another network refuse typed data of this one. A wallet that cannot switch says what it needs itself. */
async function switchTo(wallet: InjectedWallet, chainId: number): Promise<void> {
  const params = [{ chainId: numberToHex(chainId) }]
  await requestOf(wallet)({ method: 'wallet_switchEthereumChain', params }).catch((error: unknown) => {
    if (codeOf(error) === 4001) throw error
  })
}

/** Numbers are hex, or JSON numbers; the parity is called `yParity`, `y_parity` or `v`. */
function readAuthorization(value: unknown, given: Authorization): SignedAuthorization | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const answer = ('authorization' in value ? value.authorization : value) as Record<string, unknown> | null
  if (typeof answer !== 'object' || answer === null) return undefined
  const { r, s, yParity = answer.y_parity, v } = answer
  if (!isHex(r) || !isHex(s)) return undefined
  const parity = yParity === undefined ? Number(v) - 27 : Number(yParity)
  return parity === 0 || parity === 1 ? { ...given, r, s, yParity: parity } : undefined
}

/** Reads what the page for exported keys gives out. Undefined if the text is something else. */
export function parseAuthorization(text: string): SignedAuthorization | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown>
    const { chainId, address, nonce } = value
    if (!Number.isSafeInteger(chainId) || !Number.isSafeInteger(nonce) || !isHex(address)) return undefined
    return readAuthorization(value, {
      chainId: Number(chainId),
      nonce: Number(nonce),
      address: getAddress(address),
    })
  } catch {
    return undefined
  }
}

/** Sends an ordinary transaction of the wallet's account, which the wallet shows first. @returns its hash */
export async function sendFromEoa(
  wallet: InjectedWallet,
  chainId: number,
  transaction: { readonly from: Address; readonly to: Address; readonly data: Hex; readonly value: bigint },
): Promise<string> {
  await switchTo(wallet, chainId)
  const params = [{ ...transaction, value: numberToHex(transaction.value) }]
  return String(await requestOf(wallet)({ method: 'eth_sendTransaction', params }))
}

/** Milliseconds between two looks for a transaction. */
const pollInterval = 1_000

/** Milliseconds. A wallet that replaced the transaction, for example with higher fees, never shows its receipt. */
const maxWait = 120_000

/**
 * Waits until a transaction of the wallet is in a block, but not longer than two minutes: the caller reads from the chain what holds.
 *
 * @throws EoaWalletError REVERTED
 */
export async function waitUntilMined(wallet: InjectedWallet, hash: string): Promise<void> {
  for (const end = Date.now() + maxWait; Date.now() < end; ) {
    const receipt = await requestOf(wallet)({ method: 'eth_getTransactionReceipt', params: [hash] })
    const { status } = Object(receipt) as { status?: unknown }
    if (status !== undefined && status !== null) {
      if (Number(status) === 1) return
      throw new EoaWalletError('REVERTED')
    }
    await new Promise((resolve) => setTimeout(resolve, pollInterval))
  }
}

/**
 * Reads a network through the RPC that the person's wallet uses.
 *
 * @throws EoaWalletError OTHER_NETWORK; the wallet's error if the person declines to switch
 */
export async function readClientOf(wallet: InjectedWallet, chainId: number): Promise<PublicClient> {
  await switchTo(wallet, chainId)
  const client = createPublicClient({ transport: custom(wallet.provider) })
  if ((await client.getChainId()) !== chainId) throw new EoaWalletError('OTHER_NETWORK')
  return client
}

/** Has the wallet sign 32 bytes with `personal_sign`. @throws the wallet's error if the person declines */
export const signHash = async (wallet: InjectedWallet, address: Address, hash: Hex): Promise<Hex> =>
  (await requestOf(wallet)({ method: 'personal_sign', params: [hash, address] })) as Hex
