import { useServiceQuery } from './use-service-query.ts'

/** The name, logo and colours that the operator set in BRAND_FILE. They are read once. */
export const useBrand = () =>
  useServiceQuery({ key: ['brand'], read: (client, options) => client.system.brand({}, options) })
