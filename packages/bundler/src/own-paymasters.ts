import type { SignedUserOperation } from '@lanyard/accounts'
import { entryPointV08, type NetworkConfig } from '@lanyard/networks'
import { predictTokenPaymasterAddress } from '@lanyard/onchain'
import { type Hex, size, slice } from 'viem'

type Config = Pick<NetworkConfig, 'smartBalance' | 'entryPoint'>

/** Our paymasters on a network, in lower case: SmartBalance, and TokenPaymaster for each EntryPoint. */
export function ownPaymasters({ smartBalance, entryPoint }: Config): readonly string[] {
  if (!smartBalance) return []
  return [smartBalance.toLowerCase(), ...tokenPaymasters({ smartBalance, entryPoint })]
}

/** TokenPaymaster for each EntryPoint, in lower case. */
export const tokenPaymasters = ({ smartBalance, entryPoint }: Config): readonly string[] =>
  smartBalance
    ? [entryPoint, entryPointV08].map((one) =>
        predictTokenPaymasterAddress({ entryPoint: one, smartBalance }).toLowerCase(),
      )
    : []

/** Whether a contract takes tokens for gas on a network. */
export const isTokenPaymaster = (config: Config, paymaster: string): boolean =>
  tokenPaymasters(config).includes(paymaster.toLowerCase())

/** In lower case; undefined if the account pays itself. */
export const paymasterOf = ({
  paymasterAndData,
}: Pick<SignedUserOperation, 'paymasterAndData'>): Hex | undefined =>
  size(paymasterAndData) < 20 ? undefined : (slice(paymasterAndData, 0, 20).toLowerCase() as Hex) // still hex

/** Whether one of our paymasters pays for an operation: its validation depends on nothing but its operator. */
export function hasOwnPaymaster(
  config: Config,
  operation: Pick<SignedUserOperation, 'paymasterAndData'>,
): boolean {
  const paymaster = paymasterOf(operation)
  return paymaster !== undefined && ownPaymasters(config).includes(paymaster)
}
