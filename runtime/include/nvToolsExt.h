/* NVTX: marks and ranges for a profiler. Without a profiler the calls do nothing, and romark has no profiler. */
#ifndef ROMARK_NV_TOOLS_EXT_H
#define ROMARK_NV_TOOLS_EXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 2

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum nvtxMessageType_t {
	NVTX_MESSAGE_UNKNOWN,
	NVTX_MESSAGE_TYPE_ASCII,
	NVTX_MESSAGE_TYPE_UNICODE,
	NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
	NVTX_PAYLOAD_UNKNOWN,
	NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
	NVTX_PAYLOAD_TYPE_INT64,
	NVTX_PAYLOAD_TYPE_DOUBLE,
	NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
	NVTX_PAYLOAD_TYPE_INT32,
	NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
	const char *ascii;
	const wchar_t *unicode;
	nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
	uint16_t version, size;
	uint32_t category;
	int32_t colorType;
	uint32_t color;
	int32_t payloadType, reserved0;
	union payload_t {
		uint64_t ullValue;
		int64_t llValue;
		double dValue;
		uint32_t uiValue;
		int32_t iValue;
		float fValue;
	} payload;
	int32_t messageType;
	nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

/* name: what it returns without a profiler */
#define ROMARK_NVTX(type, name, result, ...)                                                                           \
	static __inline__ type name(__VA_ARGS__)                                                                       \
	{                                                                                                              \
		return result;                                                                                         \
	}
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
ROMARK_NVTX(void, nvtxInitialize, (void)0, const void *reserved)
ROMARK_NVTX(void, nvtxMarkA, (void)0, const char *message)
ROMARK_NVTX(void, nvtxMarkW, (void)0, const wchar_t *message)
ROMARK_NVTX(void, nvtxMarkEx, (void)0, const nvtxEventAttributes_t *attributes)
ROMARK_NVTX(int, nvtxRangePushA, -1, const char *message)
ROMARK_NVTX(int, nvtxRangePushW, -1, const wchar_t *message)
ROMARK_NVTX(int, nvtxRangePushEx, -1, const nvtxEventAttributes_t *attributes)
ROMARK_NVTX(int, nvtxRangePop, -1, void)
ROMARK_NVTX(nvtxRangeId_t, nvtxRangeStartA, 0, const char *message)
ROMARK_NVTX(nvtxRangeId_t, nvtxRangeStartW, 0, const wchar_t *message)
ROMARK_NVTX(nvtxRangeId_t, nvtxRangeStartEx, 0, const nvtxEventAttributes_t *attributes)
ROMARK_NVTX(void, nvtxRangeEnd, (void)0, nvtxRangeId_t id)
ROMARK_NVTX(void, nvtxNameCategoryA, (void)0, uint32_t category, const char *name)
ROMARK_NVTX(void, nvtxNameOsThreadA, (void)0, uint32_t thread, const char *name)
ROMARK_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, NULL, const char *name)
ROMARK_NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, NULL, const wchar_t *name)
ROMARK_NVTX(void, nvtxDomainDestroy, (void)0, nvtxDomainHandle_t domain)
ROMARK_NVTX(void, nvtxDomainMarkEx, (void)0, nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
ROMARK_NVTX(int, nvtxDomainRangePushEx, -1, nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
ROMARK_NVTX(int, nvtxDomainRangePop, -1, nvtxDomainHandle_t domain)
ROMARK_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, 0, nvtxDomainHandle_t domain,
	    const nvtxEventAttributes_t *attributes)
ROMARK_NVTX(void, nvtxDomainRangeEnd, (void)0, nvtxDomainHandle_t domain, nvtxRangeId_t id)
ROMARK_NVTX(void, nvtxDomainNameCategoryA, (void)0, nvtxDomainHandle_t domain, uint32_t category, const char *name)
ROMARK_NVTX(void, nvtxDomainNameCategoryW, (void)0, nvtxDomainHandle_t domain, uint32_t category, const wchar_t *name)
ROMARK_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, NULL, nvtxDomainHandle_t domain, const char *text)
ROMARK_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW, NULL, nvtxDomainHandle_t domain, const wchar_t *text)
#if defined(__clang__)
#pragma clang diagnostic pop
#else
#pragma GCC diagnostic pop
#endif
#undef ROMARK_NVTX

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#endif
