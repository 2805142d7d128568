import type { Network } from '@lanyard/networks'
import type { Bundler } from './bundler.ts'
import { createEmbeddedBundler, type EmbeddedDependencies } from './embedded/embedded-bundler.ts'
import { createRemoteBundler } from './remote/remote-bundler.ts'

/** What the embedded bundler needs; a remote one does not. */
export type BundlerDependencies = EmbeddedDependencies

/**
 * The bundler that the network's configuration names.
 *
 * @throws INTERNAL if it is the embedded one and there is no relayer.
 */
export function createBundler(network: Network, dependencies: BundlerDependencies): Bundler {
  const { bundler } = network.config
  return bundler.kind === 'remote'
    ? createRemoteBundler(network, bundler.url)
    : createEmbeddedBundler(network, dependencies)
}
