export { startBalancer } from './balancer.ts'
export type { Balancer } from './balancer-address.ts'
export { findNginx, hasIpv6, nginxFiles, startNginx } from './nginx.ts'
export { startOwnBalancer } from './own-balancer.ts'
