import { fileURLToPath } from 'node:url'
import { freePorts } from '@lanyard/testing'
import { entryPoint07Address } from 'viem/account-abstraction'
import { devKey } from '../wallets/chain.ts'
import { type Program, startProgram } from './start-program.ts'

/**
 * Alto with one executor and its defaults, in a separate process: its licence is GPL-3.0, and importing it
 * would start it.
 */
export async function startAlto(
  rpcUrl: string,
  { blockTime }: { readonly blockTime?: number } = {},
): Promise<Program> {
  const path = fileURLToPath(new URL('cli/alto.js', import.meta.resolve('@pimlico/alto')))
  const port = await freePorts(1)
  return startProgram(path, {
    parameters: [
      'run',
      ...['--entrypoints', entryPoint07Address],
      ...['--executor-private-keys', devKey(8)],
      ...['--utility-private-key', devKey(9)],
      ...['--rpc-url', rpcUrl],
      ...['--port', String(port)],
      // The published version's tracer fails on v0.7 and rejects the P-256 precompile.
      ...['--safe-mode', 'false'],
      ...['--deploy-simulations-contract', 'true'],
      ...['--refilling-wallets', 'false'],
      ...(blockTime === undefined ? [] : ['--block-time', String(blockTime)]),
      ...['--log-level', 'error'],
    ],
    url: `http://127.0.0.1:${port}/health`,
  }).then((program) => ({ ...program, url: `http://127.0.0.1:${port}` }))
}
