import { epochsAddress, type SessionKeysDeploymentContext } from '@lanyard/onchain'
import { type Address, zeroAddress } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'

/**
 * The contracts behind an account. The account's address depends only on these fields and on its {@link
 * AccountOwner}. Store them with each account, so that a later change of defaults never moves one.
 */
export interface AccountDeployment {
  /** Safe 1.4.1 singleton, the proxy's implementation. */
  readonly singleton: Address
  /** SafeProxyFactory 1.4.1. Its proxies' creation code is {@link safeProxyCreationCode}. */
  readonly factory: Address
  /** Safe4337Module 0.3.0: module and fallback handler of the account; verifying contract of a SafeOp. */
  readonly module: Address
  /** SafeModuleSetup 0.3.0, delegate-called from `setup` to enable the module. */
  readonly moduleSetup: Address
  /** SafeWebAuthnSharedSigner 0.2.1: the owner of a passkey account; keeps the key in the account's storage. */
  readonly sharedSigner: Address
  /** MultiSend 1.4.1, which joins the two delegate calls in a passkey account's `setup`. */
  readonly multiSend: Address
  /** MultiSendCallOnly 1.4.1, which runs a batch of calls. The address does not depend on it. */
  readonly multiSendCallOnly: Address
  /** SafeWebAuthnSignerFactory 0.2.1, for passkeys added later. The address does not depend on it. */
  readonly signerFactory: Address
  /** EntryPoint v0.7. The module accepts calls only from the EntryPoint that it was deployed for. */
  readonly entryPoint: Address
  /** Ownership, enabled in `setup`; absent for accounts that are created without it. */
  readonly ownership?: Address | undefined
  /** `saltNonce` of `createProxyWithNonce`. */
  readonly saltNonce: bigint
  /**
   * The address of an account that another program deployed: it follows from none of these contracts, and no init code deploys
   * it on another network. Absent for all others.
   */
  readonly address?: Address | undefined
}

/**
 * The canonical deployment, the same on every network.
 *
 * Safe 1.4.1 addresses: github.com/safe-global/safe-deployments (v1.4.1, "canonical").
 * Modules: github.com/safe-global/safe-modules-deployments (safe-4337-module v0.3.0, safe-passkey-module v0.2.1).
 */
export const defaultDeployment = {
  singleton: '0x41675C099F32341bf84BFc5382aF534df5C7461a',
  factory: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
  module: '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226',
  moduleSetup: '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47',
  sharedSigner: '0x94a4F6affBd8975951142c3999aEAB7ecee555c2',
  multiSend: '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
  multiSendCallOnly: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
  signerFactory: '0x1d31F259eE307358a26dFb23EB365939E8641195',
  entryPoint: entryPoint07Address,
  saltNonce: 0n,
} as const satisfies AccountDeployment

/**
 * The contracts that no session may call on a network: those of accounts, and the smart balance. SessionKeys' address
 * follows from them.
 *
 * @param network.smartBalance - absent: the network has none
 */
export function sessionKeysDeploymentContext({
  entryPoint = defaultDeployment.entryPoint,
  smartBalance = zeroAddress,
}: {
  readonly entryPoint?: Address | undefined
  readonly smartBalance?: Address | undefined
}): SessionKeysDeploymentContext {
  const { module, sharedSigner, multiSend, multiSendCallOnly } = defaultDeployment
  return {
    ...{ entryPoint, safe4337Module: module, sharedSigner, multiSend, multiSendCallOnly },
    ...{ smartBalance, epochs: epochsAddress },
  }
}
