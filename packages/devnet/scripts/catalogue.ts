import type { Address, Hex } from 'viem'
import { canonicalAddresses } from '../src/canonical-addresses.ts'

/** An artifact of an npm package, and how it is placed at its canonical address. */
export interface CatalogueEntry {
  name: string
  address: Address
  package: string
  /** Hardhat artifact within the package. */
  artifact: string
  /** Solidity source within the package; its SPDX line is the licence of record. */
  source: string
  /** ABI-encoded constructor arguments, without 0x. */
  constructorArguments?: string
  /** Artifact of a proxy that the contract creates; its code is replaced by the canonical one. */
  embeddedProxy?: string
  placement: { kind: 'create2'; factory: Address; salt: Hex } | { kind: 'constructor' }
}

const a = canonicalAddresses

function safe(name: string, address: Address, path: string): CatalogueEntry {
  return {
    name,
    address,
    package: '@safe-global/safe-contracts',
    artifact: `build/artifacts/contracts/${path}.sol/${name}.json`,
    source: `contracts/${path}.sol`,
    // safe-contracts' hardhat config deploys through the singleton factory with salt 0.
    placement: { kind: 'create2', factory: a.safeSingletonFactory, salt: `0x${'00'.repeat(32)}` },
  }
}

function safeModule(
  name: string,
  address: Address,
  pkg: string,
  path: string,
  constructorArguments = '',
): CatalogueEntry {
  return {
    name,
    address,
    package: pkg,
    artifact: `build/artifacts/contracts/${path}.sol/${name}.json`,
    source: `contracts/${path}.sol`,
    constructorArguments,
    placement: { kind: 'constructor' },
  }
}

/** In the order of placement: a factory comes before the contracts that it creates. */
export const catalogue: readonly CatalogueEntry[] = [
  {
    name: 'EntryPoint',
    address: a.entryPoint,
    package: '@account-abstraction/contracts',
    artifact: 'artifacts/EntryPoint.json',
    source: 'core/EntryPoint.sol',
    // The salt of the v0.7.0 release; its constructor also creates the SenderCreator.
    placement: {
      kind: 'create2',
      factory: a.deterministicDeployer,
      salt: '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
    },
  },
  {
    name: 'EntryPoint08',
    address: a.entryPoint08,
    package: '@account-abstraction/contracts-0.8',
    artifact: 'artifacts/EntryPoint.json',
    source: 'core/EntryPoint.sol',
    // The salt of the v0.8.0 release.
    placement: {
      kind: 'create2',
      factory: a.deterministicDeployer,
      salt: '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
    },
  },
  {
    name: 'Simple7702Account',
    address: a.simple7702Account,
    package: '@account-abstraction/contracts-0.8',
    artifact: 'artifacts/Simple7702Account.json',
    source: 'accounts/Simple7702Account.sol',
    placement: { kind: 'create2', factory: a.deterministicDeployer, salt: `0x${'00'.repeat(32)}` },
  },
  safe('Safe', a.safeSingleton, 'Safe'),
  safe('SafeProxyFactory', a.safeProxyFactory, 'proxies/SafeProxyFactory'),
  safe('MultiSend', a.multiSend, 'libraries/MultiSend'),
  safe('MultiSendCallOnly', a.multiSendCallOnly, 'libraries/MultiSendCallOnly'),
  safeModule(
    'Safe4337Module',
    a.safe4337Module,
    '@safe-global/safe-4337',
    'Safe4337Module',
    a.entryPoint.slice(2).toLowerCase().padStart(64, '0'),
  ),
  safeModule('SafeModuleSetup', a.safeModuleSetup, '@safe-global/safe-4337', 'SafeModuleSetup'),
  safeModule(
    'SafeWebAuthnSharedSigner',
    a.safeWebAuthnSharedSigner,
    '@safe-global/safe-passkey',
    '4337/SafeWebAuthnSharedSigner',
  ),
  {
    ...safeModule(
      'SafeWebAuthnSignerFactory',
      a.safeWebAuthnSignerFactory,
      '@safe-global/safe-passkey',
      'SafeWebAuthnSignerFactory',
    ),
    embeddedProxy: 'build/artifacts/contracts/SafeWebAuthnSignerProxy.sol/SafeWebAuthnSignerProxy.json',
  },
  safeModule('FCLP256Verifier', a.p256Verifier, '@safe-global/safe-passkey', 'verifiers/FCLP256Verifier'),
]
