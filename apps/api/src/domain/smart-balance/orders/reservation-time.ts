/** Seconds for which a solution is reserved before anything is built with it. */
export const reservationSeconds = 600
