// The address stays as it was, its fragment too, in which an app's request may stand.
const reload = () => location.reload()
document.querySelector('button').addEventListener('click', reload)
addEventListener('online', reload)
