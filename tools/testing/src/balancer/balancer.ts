import type { Balancer } from './balancer-address.ts'
import { findNginx, startNginx } from './nginx.ts'
import { startOwnBalancer } from './own-balancer.ts'

/**
 * nginx with the configuration that we ship, where this machine has it; else a fake with the same rules.
 *
 * @param replicas - their addresses; replicas come back at the same ones
 */
export async function startBalancer(replicas: readonly string[]): Promise<Balancer> {
  const nginx = findNginx()
  return nginx === undefined ? startOwnBalancer(replicas) : startNginx(nginx, replicas)
}
