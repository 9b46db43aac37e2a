/* sockets.c: libcurl forgets a connection's socket when a transfer ends and asks
** for the same again when the next one begins. Telling the kernel both times
** would cost two system calls a request, so a socket that was opened here rests
** between them: epoll goes on watching it, and is told otherwise only if
** something comes meanwhile, which is the server's goodbye. Sockets that libcurl
** opens by itself (it wakes a resolver's thread with them) are closed without a
** word, so they never rest.
*/
#include "sockets.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { OURS = 1, WATCHED = 2, FOR_INPUT = 4, FOR_OUTPUT = 8, RESTS = 16 };

void ecrb_sockets_free(ecrb_sockets *sockets) {
  free(sockets->states);
  sockets->states = NULL;
  sockets->room = 0;
}

static bool make_room(ecrb_sockets *sockets, curl_socket_t s) {
  size_t room = sockets->room ? sockets->room : 64;
  while (room <= (size_t)s)
    room *= 2;
  if (room == sockets->room)
    return true;
  unsigned char *states = realloc(sockets->states, room);
  if (!states)
    return false;
  memset(states + sockets->room, 0, room - sockets->room);
  sockets->states = states;
  sockets->room = room;
  return true;
}

curl_socket_t ecrb_sockets_open(void *sockets, curlsocktype purpose,
                                struct curl_sockaddr *address) {
  ecrb_sockets *all = sockets;
  (void)purpose;
  curl_socket_t s = socket(address->family, address->socktype | SOCK_CLOEXEC,
                           address->protocol);
  if (s < 0)
    return CURL_SOCKET_BAD;
  if (!make_room(all, s)) {
    close(s);
    return CURL_SOCKET_BAD;
  }
  all->states[s] = OURS;
  return s;
}

static int tell(const ecrb_sockets *sockets, int deed, curl_socket_t s,
                unsigned state) {
  struct epoll_event event = {.data.fd = s};
  event.events = (state & FOR_INPUT ? (unsigned)EPOLLIN : 0) |
                 (state & FOR_OUTPUT ? (unsigned)EPOLLOUT : 0);
  return epoll_ctl(sockets->epoll, deed, s, &event);
}

static void forget(ecrb_sockets *sockets, curl_socket_t s) {
  tell(sockets, EPOLL_CTL_DEL, s, 0);
  sockets->states[s] &= OURS;
}

int ecrb_sockets_close(void *sockets, curl_socket_t s) {
  ecrb_sockets *all = sockets;
  if (all->states[s] & WATCHED)
    forget(all, s); /* a process that was forked may hold it open */
  all->states[s] = 0;
  return close(s);
}

static void let_rest(ecrb_sockets *sockets, curl_socket_t s) {
  if (sockets->states[s] & OURS)
    sockets->states[s] |= RESTS;
  else
    forget(sockets, s);
}

int ecrb_sockets_watch(ecrb_sockets *sockets, curl_socket_t s, int what) {
  if (!make_room(sockets, s))
    return -1;
  if (what == CURL_POLL_REMOVE) {
    let_rest(sockets, s);
    return 0;
  }
  unsigned char *state = &sockets->states[s];
  unsigned before = *state & ~(unsigned)RESTS;
  unsigned wanted = (before & OURS) | WATCHED |
                    (what & CURL_POLL_IN ? FOR_INPUT : 0) |
                    (what & CURL_POLL_OUT ? FOR_OUTPUT : 0);
  *state = (unsigned char)wanted;
  if (wanted == before)
    return 0;
  return tell(sockets, before & WATCHED ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, s,
              wanted);
}

bool ecrb_sockets_is_awaited(ecrb_sockets *sockets, curl_socket_t s) {
  if ((size_t)s >= sockets->room || !(sockets->states[s] & RESTS))
    return true;
  forget(sockets, s);
  return false;
}
