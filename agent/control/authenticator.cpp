// SPDX-License-Identifier: GPL-3.0-or-later
#include "authenticator.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cstdlib>

namespace tasuki::control {

namespace {

/// What libcrypto fails at has no remedy: without it nothing that follows would be safe.
void insist(bool done)
{
    if (!done)
        std::abort();
}

const unsigned char* octets(std::string_view bytes)
{
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

using FullTag = std::array<unsigned char, 32>;

FullTag finish(EVP_MAC_CTX* context, std::string_view first, std::string_view second)
{
    FullTag full{};
    std::size_t length = 0;
    insist(EVP_MAC_update(context, octets(first), first.size()) == 1);
    insist(second.empty() || EVP_MAC_update(context, octets(second), second.size()) == 1);
    insist(EVP_MAC_final(context, full.data(), &length, full.size()) == 1);
    return full;
}

} // namespace

RunKey randomRunKey()
{
    RunKey key{};
    insist(RAND_bytes(reinterpret_cast<unsigned char*>(key.data()), static_cast<int>(key.size()))
           == 1);
    return key;
}

RunKey deriveKey(const RunKey& key, std::string_view purpose)
{
    const Authenticator authenticator(key);
    RunKey derived{};
    const std::string_view halves[] = {"\1", "\2"};
    auto out = derived.begin();
    for (const std::string_view half : halves) {
        const Tag tag = authenticator.tag(purpose, half);
        out = std::transform(tag.begin(), tag.end(), out,
                             [](char byte) { return static_cast<std::byte>(byte); });
    }
    return derived;
}

void Authenticator::Free::operator()(evp_mac_ctx_st* context) const { EVP_MAC_CTX_free(context); }

Authenticator::Authenticator(const RunKey& key)
{
    EVP_MAC* hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
    insist(hmac != nullptr);
    m_keyed.reset(EVP_MAC_CTX_new(hmac));
    EVP_MAC_free(hmac);
    insist(m_keyed != nullptr);
    char digest[] = "SHA256";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end()};
    insist(EVP_MAC_init(m_keyed.get(), reinterpret_cast<const unsigned char*>(key.data()),
                        key.size(), parameters)
           == 1);
}

Tag Authenticator::tag(std::string_view first, std::string_view second) const
{
    const std::unique_ptr<EVP_MAC_CTX, Free> context(EVP_MAC_CTX_dup(m_keyed.get()));
    insist(context != nullptr);
    const FullTag full = finish(context.get(), first, second);
    Tag tag{};
    std::transform(full.begin(), full.begin() + tagBytes, tag.begin(),
                   [](unsigned char byte) { return static_cast<char>(byte); });
    return tag;
}

bool Authenticator::matches(std::string_view tag, std::string_view first,
                            std::string_view second) const
{
    const Tag expected = this->tag(first, second);
    return tag.size() == expected.size()
        && CRYPTO_memcmp(tag.data(), expected.data(), expected.size()) == 0;
}

} // namespace tasuki::control
