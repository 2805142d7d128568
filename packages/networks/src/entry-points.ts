import type { Address } from 'viem'
import type { NetworkConfig } from './config.ts'
import { entryPointV08 } from './network-fields.ts'

/** The EntryPoints that a network's operations go through: that of Safes first, then that of delegated EOAs. */
export const entryPointsOf = ({
  entryPoint,
  accountKinds,
}: Pick<NetworkConfig, 'entryPoint' | 'accountKinds'>): readonly Address[] =>
  accountKinds.includes('eip7702') ? [entryPoint, entryPointV08] : [entryPoint]
