export { startBalancer } from './balancer.ts'
export type { Balancer } from './balancer-address.ts'
export { findNginx, nginxFiles, startNginx } from './nginx.ts'
export { startOwnBalancer } from './own-balancer.ts'
