// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Settling} from "../../smart-balance/Settlement.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @dev Each flavour of an owner's signature, through the real Safe on O and again on A.
contract OwnerSignatureTest is SmartBalanceTest {
    uint256 private constant PASSKEY = 0x9A55;
    uint256 private constant P256_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551;
    string private constant FIELDS = '"origin":"https://wallet.example","crossOrigin":false';

    bytes private passkey;
    address private passkeyAccount;

    function setUp() public override {
        super.setUp();
        (uint256 x, uint256 y) = vm.publicKeyP256(PASSKEY);
        uint176 verifiers = uint176(uint160(p256Verifier));
        passkeyAccount = _createPasskeySafe(x, y, verifiers);
        passkey = abi.encodePacked(uint8(1), x, y, verifiers);
        _on(A);
        _depositAndPin(300e6);
        _deposit(passkeyAccount, 300e6);
        vm.prank(passkeyAccount);
        smartBalance.addSigner(_signerId(passkey));
        _on(O);
    }

    /// @dev v + 4 over the prefixed hash, as wallets sign with personal_sign.
    function test_behavior_personalSign() public {
        Draft memory draft = _draft();
        PackedUserOperation memory op = _buildUnsigned(draft);
        op.signature = abi.encodePacked(uint48(0), uint48(0));
        bytes32 safeOpHash = module.getOperationHash(op);
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(OWNER_KEY, keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", safeOpHash)));
        op.signature = abi.encodePacked(op.signature, r, s, v + 4);
        _expectSettled(draft, op);
    }

    /// @dev The validity that the user signs beside the order's.
    function test_behavior_validityInTheSignature() public {
        Draft memory draft = _draft();
        PackedUserOperation memory op = _buildUnsigned(draft);
        op.signature = abi.encodePacked(uint48(block.timestamp), draft.validUntil);
        op.signature = bytes.concat(op.signature, _sign(OWNER_KEY, module.getOperationHash(op)));
        _expectSettled(draft, op);
    }

    /// @dev Attack 5. The Safe reads the first 65 bytes and ignores the rest: there would be many bytes of one consent.
    function test_attack5_trailingByte() public {
        PackedUserOperation memory op = _build(_draft());
        assertEq(_validation(op), 0, "the signature itself");
        op.signature = bytes.concat(op.signature, hex"00");
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
    }

    function test_behavior_passkey() public {
        Draft memory draft = _passkeyDraft();
        _expectSettled(draft, _signWithPasskey(draft, 0x05, false));
    }

    /// @dev Authenticators give high s half of the time; the Safe takes both, and so must this.
    function test_behavior_passkeyOtherS() public {
        Draft memory draft = _passkeyDraft();
        _expectSettled(draft, _signWithPasskey(draft, 0x05, true));
    }

    function test_error_passkeyWithoutUserVerification() public {
        PackedUserOperation memory op = _signWithPasskey(_passkeyDraft(), 0x01, false);
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
    }

    /// @dev Every bit of a passkey's signature but the signer contract's address, which settlement does not need.
    function testFuzz_error_passkeyMutated(uint256 seed) public {
        Draft memory draft = _passkeyDraft();
        PackedUserOperation memory op = _signWithPasskey(draft, 0x05, false);
        uint256 i = bound(seed >> 8, 44, 12 + 97 + 4 * 32 - 1);
        op.signature[i] ^= bytes1(uint8(1 << (seed % 8)));
        vm.prank(address(entryPoint));
        try smartBalance.validatePaymasterUserOp(op, 0, 0) returns (bytes memory, uint256 validationData) {
            assertEq(uint160(validationData), 1, "SIG_VALIDATION_FAILED");
        } catch {}
    }

    /// @dev 0: valid; 1: SIG_VALIDATION_FAILED.
    function _validation(PackedUserOperation memory op) private returns (uint160) {
        vm.prank(address(entryPoint));
        (, uint256 validationData) = smartBalance.validatePaymasterUserOp(op, 0, 0);
        return uint160(validationData);
    }

    function _passkeyDraft() private view returns (Draft memory draft) {
        draft = _draft();
        draft.account = passkeyAccount;
        draft.signer = passkey;
    }

    function _expectSettled(Draft memory draft, PackedUserOperation memory op) private {
        bytes32 orderHash = _orderHash(draft, op);
        _handle(op);
        assertTrue(_outcome(draft.account, draft.nonce) == Outcome.Claimed, "claimed");
        _on(A);
        Settling memory item = Settling(O, _signed(op), Outcome.Claimed, _attest(orderHash, Outcome.Claimed));
        assertEq(_settle(item), 101e6, "settled");
    }

    function _signWithPasskey(Draft memory draft, uint8 flags, bool otherS)
        private
        view
        returns (PackedUserOperation memory op)
    {
        op = _buildUnsigned(draft);
        op.signature = abi.encodePacked(uint48(0), uint48(0));
        bytes memory assertion = _assert(module.getOperationHash(op), flags, otherS);
        op.signature = abi.encodePacked(
            op.signature, uint256(uint160(sharedSigner)), uint256(65), uint8(0), assertion.length, assertion
        );
    }

    function _assert(bytes32 challenge, uint8 flags, bool otherS) private pure returns (bytes memory) {
        bytes memory authenticatorData = abi.encodePacked(sha256("wallet.example"), flags, uint32(0));
        bytes memory clientData = abi.encodePacked(
            '{"type":"webauthn.get","challenge":"', _base64Url(challenge), '",', FIELDS, "}"
        );
        (bytes32 r, bytes32 s) =
            vm.signP256(PASSKEY, sha256(abi.encodePacked(authenticatorData, sha256(clientData))));
        if (otherS) s = bytes32(P256_N - uint256(s));
        return abi.encode(authenticatorData, FIELDS, r, s);
    }

    /// @dev RFC 4648 §5 of 32 bytes, without padding, written independently of the library.
    function _base64Url(bytes32 value) private pure returns (bytes memory text) {
        bytes memory alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        text = new bytes(43);
        for (uint256 i; i < 43; ++i) {
            // 42 groups of 6 bits, and 4 bits at the end.
            uint256 group = i < 42 ? uint256(value) >> (250 - 6 * i) : uint256(value) << 2;
            text[i] = alphabet[group & 63];
        }
    }
}
