import type { Address } from 'viem'

/**
 * Addresses that are the same on every network, including local ones.
 *
 * Sources: ERC-4337's releases (EntryPoint), safe-global/safe-deployments v1.4.1 (Safe),
 * safe-global/safe-modules-deployments `safe-4337-module/v0.3.0` and `safe-passkey-module/v0.2.1`,
 * safe-global/safe-singleton-factory, mds1/multicall.
 */
export const canonicalAddresses = {
  /** Nick Johnson's deterministic deployment proxy; anvil has it from the start. */
  deterministicDeployer: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
  /** ERC-4337 EntryPoint v0.7. */
  entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  /** ERC-4337 EntryPoint v0.8, for accounts that are delegated EOAs. */
  entryPoint08: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  /** Simple7702Account of that release: the code to which EOAs delegate (EIP-7702). */
  simple7702Account: '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
  safeSingletonFactory: '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7',
  /** Safe 1.4.1; not SafeL2, whose events cost about 5k gas per operation. */
  safeSingleton: '0x41675C099F32341bf84BFc5382aF534df5C7461a',
  safeProxyFactory: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
  multiSend: '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
  multiSendCallOnly: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
  safe4337Module: '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226',
  safeModuleSetup: '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47',
  safeWebAuthnSharedSigner: '0x94a4F6affBd8975951142c3999aEAB7ecee555c2',
  safeWebAuthnSignerFactory: '0x1d31F259eE307358a26dFb23EB365939E8641195',
  /**
   * FreshCryptoLib's P-256 verifier in Solidity: the fallback on networks without the precompile at 0x100.
   */
  p256Verifier: '0xA86e0054C51E4894D88762a017ECc5E5235f5DBA',
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
} as const satisfies Record<string, Address>
