import type { Balancer } from './balancer-address.ts'
import { findNginx, startNginx } from './nginx.ts'
import { startOwnBalancer } from './own-balancer.ts'

export type { Balancer } from './balancer-address.ts'
export { findNginx, hasIpv6, nginxFiles, startNginx } from './nginx.ts'
export { startOwnBalancer } from './own-balancer.ts'

/**
 * Starts nginx with the shipped configuration if this machine has it, and otherwise a fake with the same
 * rules.
 *
 * @param replicas - their addresses; restarted replicas keep their address
 */
export async function startBalancer(replicas: readonly string[]): Promise<Balancer> {
  const nginx = findNginx()
  return nginx === undefined ? startOwnBalancer(replicas) : startNginx(nginx, replicas)
}
