import { type Address, isAddressEqual } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { showText } from './decode-typed-data.ts'

/** A sign-in (ERC-4361) split into parts that a person can check. */
export interface SignIn {
  /** The domain of the sign-in. */
  readonly domain: string
  readonly statement: string | undefined
  readonly resources: readonly string[]
  readonly expiresAt: Date | undefined
  /** The ways in which it differs from an honest sign-in. */
  readonly problems: readonly SignInProblem[]
}

/**
 * - `otherDomain`, `otherUri`: it is for a page other than the requesting one
 * - `otherAccount`: it names another address
 * - `otherChain`: it is for another network
 * - `expired`: it is no longer valid
 */
type SignInProblem = 'otherDomain' | 'otherUri' | 'otherAccount' | 'otherChain' | 'expired'

interface Requested {
  /** The origin of the requesting page, e.g. `https://app.example`. */
  readonly origin: string
  readonly account: Address
  readonly chainId: number
  readonly now: Date
}

/** Parses a text as ERC-4361. Undefined for any other text. */
export function describeSignIn(
  message: string,
  { origin, account, chainId, now }: Requested,
): SignIn | undefined {
  const {
    domain,
    address,
    uri,
    chainId: named,
    statement,
    resources = [],
    expirationTime,
  } = parseSiweMessage(message)
  if (domain === undefined || address === undefined || uri === undefined || named === undefined)
    return undefined
  const problems: Record<SignInProblem, boolean> = {
    otherDomain: domain !== URL.parse(origin)?.host,
    otherUri: URL.parse(uri)?.origin !== origin,
    otherAccount: !isAddressEqual(address, account),
    otherChain: named !== chainId,
    expired: expirationTime !== undefined && expirationTime <= now,
  }
  return {
    domain: showText(domain),
    statement: statement === undefined ? undefined : showText(statement),
    resources: resources.map(showText),
    expiresAt: expirationTime,
    // the object's own keys
    problems: (Object.keys(problems) as SignInProblem[]).filter((problem) => problems[problem]),
  }
}
