/* sockets.h: the sockets of libcurl's transfers, and which of them one epoll
** watches. Private to the library. */
#ifndef ECRB_SOCKETS_H
#define ECRB_SOCKETS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct ecrb_sockets {
  int epoll;
  unsigned char *states; /* by socket */
  size_t room;
} ecrb_sockets;

/* Frees what describes them; the sockets themselves are libcurl's. */
void ecrb_sockets_free(ecrb_sockets *sockets);

/* For CURLOPT_OPENSOCKETFUNCTION and CURLOPT_CLOSESOCKETFUNCTION; the data of
** both is an ecrb_sockets. */
curl_socket_t ecrb_sockets_open(void *sockets, curlsocktype purpose,
                                struct curl_sockaddr *address);
int ecrb_sockets_close(void *sockets, curl_socket_t s);

/* What libcurl waits for: CURL_POLL_REMOVE for nothing more. -1 where the
** system refuses. */
int ecrb_sockets_watch(ecrb_sockets *sockets, curl_socket_t s, int what);

/* Whether anybody waits for what epoll told of the socket. One that rests is
** not watched any more. */
bool ecrb_sockets_is_awaited(ecrb_sockets *sockets, curl_socket_t s);

#endif
