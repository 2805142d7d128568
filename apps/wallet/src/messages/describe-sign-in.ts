import { type Address, isAddressEqual } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { showText } from './show-text.ts'

/** A sign-in (ERC-4361) in parts that a person can judge. */
export interface SignIn {
  /** Where the person signs in. */
  readonly domain: string
  readonly statement: string | undefined
  readonly resources: readonly string[]
  readonly expiresAt: Date | undefined
  /** What makes it not the sign-in that it seems to be. */
  readonly problems: readonly SignInProblem[]
}

/**
 * - `otherDomain`, `otherUri`: it is for another page than the one that asks
 * - `otherAccount`: it names another address
 * - `otherChain`: it is for another network
 * - `expired`: nobody takes it any more
 */
type SignInProblem = 'otherDomain' | 'otherUri' | 'otherAccount' | 'otherChain' | 'expired'

interface Asked {
  /** The page that asks, e.g. `https://app.example`. */
  readonly origin: string
  readonly account: Address
  readonly chainId: number
  readonly now: Date
}

/** Reads a text as ERC-4361. Undefined for any other text. */
export function describeSignIn(
  message: string,
  { origin, account, chainId, now }: Asked,
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
    problems: (Object.keys(problems) as SignInProblem[]).filter((problem) => problems[problem]), // its own keys
  }
}
