export { startBalancer } from './balancer.ts'
export type { Balancer } from './balancer-address.ts'
export { findNginx, startNginx } from './nginx.ts'
export { startOwnBalancer } from './own-balancer.ts'
