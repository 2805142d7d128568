/** A load balancer: one address for several replicas. */
export interface Balancer extends AsyncDisposable {
  readonly url: string
  /** The balancer's name and version. */
  readonly name: string
  /** The number of requests that it retried on a second replica. */
  readonly passedOn: () => Promise<number>
}
