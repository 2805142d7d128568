import { type AccountMessage, type AccountTypedData, type Call, hashAccountMessage } from '@lanyard/accounts'
import type { ConnectRequest } from '@lanyard/connect/protocol'
import {
  type Address,
  bytesToHex,
  hexToBytes,
  isAddress,
  isAddressEqual,
  isHex,
  slice,
  stringToHex,
} from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { t } from '../i18n/t.ts'
import { toInteger } from '../messages/decode-typed-data.ts'
import { describeSignIn, type SignIn } from '../messages/describe-sign-in.ts'
import type { Network } from '../networks/use-networks.ts'
import { parseSessionKey } from '../session-keys/parse-session-key.ts'
import type { GrantRequest } from '../session-keys/plan-grant.ts'
import { toGrantRequest } from '../session-keys/session-request.ts'
import { hasSessionKeys, type SessionKeysNetwork } from '../session-keys/use-sessions.ts'
import type { KnownAccount } from '../sign-in/known-account.ts'
import { readCalls, requireExternalCalls } from './read-calls.ts'
import { readPermissions } from './read-permissions.ts'
import { Rejection } from './rejection.ts'

/** A sign-in message. */
interface SignInMessage {
  readonly network: Network
  readonly text: string
  readonly signIn: SignIn
}

/** A page's request, validated and allowed. */
export type WalletRequest =
  | { readonly kind: 'connect'; readonly signIn: SignInMessage | undefined }
  | {
      readonly kind: 'message'
      readonly network: Network
      readonly message: Exclude<AccountMessage, { typedData: unknown }>
      readonly signIn: SignIn | undefined
    }
  | { readonly kind: 'typed-data'; readonly network: Network; readonly typedData: AccountTypedData }
  | { readonly kind: 'calls'; readonly network: Network; readonly calls: readonly Call[] }
  | {
      readonly kind: 'permissions'
      readonly network: SessionKeysNetwork
      readonly grant: GrantRequest
      /** The request as the page wrote it, with the permissions that are granted. */
      readonly answer: object
    }
  | { readonly kind: 'status'; readonly network: Network; readonly userOpHash: `0x${string}` }

interface Requested {
  /** The page's origin, as reported by the browser. */
  readonly origin: string
  /** The connection's account. For a new connection, the account to be connected. */
  readonly account: KnownAccount
  readonly networks: readonly Network[]
  readonly now: Date
}

/** Whether a page may call the method before it is connected. */
export const opensConnection = (method: string): boolean =>
  method === 'wallet_connect' || method === 'eth_requestAccounts'

/**
 * Parses a page's request.
 *
 * @throws Refusal
 */
export function readRequest(
  { method, params, chainId }: ConnectRequest,
  requested: Requested,
): WalletRequest {
  const [first, second] = params
  switch (method) {
    case 'eth_requestAccounts':
    case 'wallet_connect':
      return { kind: 'connect', signIn: readSignInCapability(Object(first).capabilities, chainId, requested) }
    case 'personal_sign':
      requireAccount(second, requested)
      return readMessage(first, chainId, requested)
    case 'eth_signTypedData_v4':
      requireAccount(first, requested)
      return readTypedData(second, chainId, requested)
    case 'wallet_sendCalls': {
      const calls = readCalls(first)
      requireAccount(Object(first).from ?? requested.account.account, requested)
      const network = requireNetwork(Number(Object(first).chainId), requested)
      requireExternalCalls(calls, requested.account.account, network)
      return { kind: 'calls', network, calls }
    }
    case 'wallet_grantPermissions':
      return readGrant(first, requested)
    case 'wallet_showCallsStatus': {
      if (!isHex(first) || first.length !== 130)
        throw new Rejection('unknownBundle', 'There is no bundle of calls with this id.')
      const network = requireNetwork(Number(BigInt(slice(first, 32))), requested)
      return { kind: 'status', network, userOpHash: slice(first, 0, 32) }
    }
    default:
      throw new Rejection('unsupportedMethod', `The wallet does not support ${method}.`)
  }
}

function requireAccount(address: unknown, { account }: Requested): asserts address is Address {
  if (typeof address !== 'string' || !isAddress(address, { strict: false }))
    throw new Rejection('invalidParams', 'Expected the address of the account.')
  if (!isAddressEqual(address, account.account))
    throw new Rejection('unauthorized', 'This page is not connected to that account.')
}

function requireNetwork(chainId: number, { networks }: Requested): Network {
  const network = networks.find((candidate) => candidate.chainId === chainId)
  if (!network) throw new Rejection('unsupportedChain', `The wallet does not have the network ${chainId}.`)
  return network
}

function readGrant(parameters: unknown, requested: Requested): WalletRequest {
  const { chainId, address, expiry, signer } = Object(parameters)
  requireAccount(address ?? requested.account.account, requested)
  const network = requireNetwork(Number(chainId), requested)
  if (!hasSessionKeys(network))
    throw new Rejection('unsupportedChain', `The wallet has no session keys on ${network.name}.`)
  const now = Math.floor(requested.now.getTime() / 1_000)
  const { request, granted } = readPermissions(parameters, network.chainId, now, parseSessionKey)
  const compiled = toGrantRequest(
    { ...request, name: requested.origin, origin: requested.origin },
    { account: requested.account.account, network, now },
  )
  if (!compiled.ok) throw new Rejection('invalidParams', compiled.message)
  const answer = { chainId, address: requested.account.account, expiry, signer, permissions: granted }
  return { kind: 'permissions', network, grant: compiled.grant, answer }
}

function readMessage(data: unknown, chainId: number, requested: Requested): WalletRequest {
  if (typeof data !== 'string') throw new Rejection('invalidParams', 'Expected a message in hex.')
  const text = isHex(data) ? readText(data) : data
  if (text === undefined) {
    if (data.length % 2 === 1) throw new Rejection('invalidParams', 'The message is not hex.')
    const network = requireNetwork(chainId, requested)
    // isHex has checked it
    return { kind: 'message', network, message: { rawMessage: data as `0x${string}` }, signIn: undefined }
  }
  // `personal_sign` names no network, but a sign-in message does, and a signature is valid on one network
  // only.
  const named = parseSiweMessage(text).chainId ?? chainId
  const isNamedHere = requested.networks.some((candidate) => candidate.chainId === named)
  const network = requireNetwork(isNamedHere ? named : chainId, requested)
  return {
    kind: 'message',
    network,
    message: { message: text },
    signIn: readSignIn(text, network, requested),
  }
}

/** Decodes bytes as text if they are valid UTF-8: encoding the text must produce the same bytes. */
function readText(data: `0x${string}`): string | undefined {
  if (data.length % 2 === 1) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(hexToBytes(data))
    return stringToHex(text) === bytesToHex(hexToBytes(data)) ? text : undefined
  } catch {
    return undefined
  }
}

/**
 * Parses an ERC-4361 message. A sign-in for another page, account or network is a deception or a mistake, and
 * so is a text that only resembles a sign-in.
 */
function readSignIn(
  text: string,
  { chainId }: Network,
  { origin, account, now }: Requested,
): SignIn | undefined {
  const signIn = describeSignIn(text, { origin, account: account.account, chainId, now })
  if (!signIn) {
    if (/wants you to sign in with your/i.test(text))
      throw new Rejection(
        'invalidParams',
        t('This app asks for a sign-in that is not well-formed (ERC-4361).'),
        {
          isShown: true,
        },
      )
    return undefined
  }
  const [problem] = signIn.problems
  if (problem) throw new Rejection('invalidParams', signInProblems[problem](signIn), { isShown: true })
  return signIn
}

const signInProblems: Readonly<Record<SignIn['problems'][number], (signIn: SignIn) => string>> = {
  otherDomain: ({ domain }) => t('This app asks for a sign-in to another one: {domain}.', { domain }),
  otherUri: () => t('This app asks for a sign-in to an address that is not its own.'),
  otherAccount: () => t('This app asks for a sign-in with another account.'),
  otherChain: () => t('This app asks for a sign-in on a network that your wallet does not have.'),
  expired: () => t('This app asks for a sign-in that has expired.'),
}

const optionalText = (value: unknown) => (typeof value === 'string' ? value : undefined)
const optionalDate = (value: unknown) => (typeof value === 'string' ? new Date(value) : undefined)

/** `signInWithEthereum` of ERC-7846: the wallet writes the message for this page only. */
function readSignInCapability(
  capabilities: unknown,
  current: number,
  requested: Requested,
): SignInMessage | undefined {
  for (const [name, value] of Object.entries(Object(capabilities)))
    if (name !== 'signInWithEthereum' && Object(value).optional !== true)
      throw new Rejection('unsupportedCapability', `The wallet does not support the capability ${name}.`)
  const wanted = Object(capabilities).signInWithEthereum
  if (wanted === undefined) return undefined
  const { nonce, chainId = current, domain, uri, statement, requestId, resources, ...times } = Object(wanted)
  const network = requireNetwork(Number(chainId), requested)
  if (typeof nonce !== 'string') throw new Rejection('invalidParams', 'A sign-in needs a nonce.')
  try {
    const text = createSiweMessage({
      address: requested.account.account,
      chainId: network.chainId,
      domain: optionalText(domain) ?? new URL(requested.origin).host,
      uri: optionalText(uri) ?? requested.origin,
      version: '1',
      nonce,
      statement: optionalText(statement),
      requestId: optionalText(requestId),
      resources: Array.isArray(resources) ? resources.map(String) : undefined,
      issuedAt: optionalDate(times.issuedAt) ?? requested.now,
      expirationTime: optionalDate(times.expirationTime),
      notBefore: optionalDate(times.notBefore),
    })
    const signIn = readSignIn(text, network, requested)
    if (signIn) return { network, text, signIn }
  } catch (error) {
    if (error instanceof Rejection) throw error
  }
  throw new Rejection('invalidParams', 'signInWithEthereum does not make a sign-in (ERC-4361).')
}

function readTypedData(data: unknown, chainId: number, requested: Requested): WalletRequest {
  const typedData = parseTypedData(data)
  const named = typedData.domain?.chainId
  if (named !== undefined && toInteger(named) !== BigInt(chainId))
    throw new Rejection('invalidParams', 'The typed data is for another network than the current one.')
  try {
    hashAccountMessage({ typedData })
  } catch (error) {
    throw new Rejection('invalidParams', error instanceof Error ? error.message : 'Malformed typed data.')
  }
  return { kind: 'typed-data', network: requireNetwork(chainId, requested), typedData }
}

function parseTypedData(data: unknown): AccountTypedData {
  try {
    const { domain, types, primaryType, message } = Object(typeof data === 'string' ? JSON.parse(data) : data)
    const isField = (field: unknown) =>
      typeof Object(field).name === 'string' && typeof Object(field).type === 'string'
    const isTyped =
      Object.values(Object(types)).every((fields) => Array.isArray(fields) && fields.every(isField)) &&
      typeof primaryType === 'string' &&
      typeof message === 'object' &&
      message !== null
    if (isTyped) return { ...(domain && { domain }), types, primaryType, message }
  } catch {
    // handled below
  }
  throw new Rejection('invalidParams', 'Expected typed data of EIP-712.')
}
