/* cudaCreateChannelDesc<T>(): the channel descriptor of a C++ type. */
#ifndef ROMARK_CHANNEL_DESCRIPTOR_H
#define ROMARK_CHANNEL_DESCRIPTOR_H

#include "cuda_runtime_api.h"

#if defined(__cplusplus)

template <class T>
static inline cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
	return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define ROMARK_CHANNELS(type, channels, bits, kind)                                                                    \
	template <>                                                                                                    \
	inline cudaChannelFormatDesc cudaCreateChannelDesc<type>(void)                                                 \
	{                                                                                                              \
		return cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,                   \
					     channels > 3 ? bits : 0, cudaChannelFormatKind##kind);                    \
	}
#define ROMARK_CHANNEL_TYPES(type, base, bits, kind)                                                                   \
	ROMARK_CHANNELS(base, 1, bits, kind)                                                                           \
	ROMARK_CHANNELS(type##1, 1, bits, kind)                                                                        \
	ROMARK_CHANNELS(type##2, 2, bits, kind)                                                                        \
	ROMARK_CHANNELS(type##4, 4, bits, kind)

ROMARK_CHANNEL_TYPES(char, signed char, 8, Signed)
ROMARK_CHANNEL_TYPES(uchar, unsigned char, 8, Unsigned)
ROMARK_CHANNEL_TYPES(short, short, 16, Signed)
ROMARK_CHANNEL_TYPES(ushort, unsigned short, 16, Unsigned)
ROMARK_CHANNEL_TYPES(int, int, 32, Signed)
ROMARK_CHANNEL_TYPES(uint, unsigned int, 32, Unsigned)
ROMARK_CHANNEL_TYPES(float, float, 32, Float)
ROMARK_CHANNELS(char, 1, 8, Signed)
#undef ROMARK_CHANNEL_TYPES
#undef ROMARK_CHANNELS

#endif
#endif
