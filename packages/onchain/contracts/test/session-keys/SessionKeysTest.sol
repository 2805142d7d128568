// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DevToken} from "../../DevToken.sol";
import {Surroundings} from "../../session-keys/ForbiddenTargets.sol";
import {Allowance, Call, Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {SessionKeysParts as SessionKeys} from "../../session-keys/SessionKeysParts.sol";
import {Counter} from "../mocks/Targets.sol";
import {SessionOperations} from "./SessionOperations.sol";

/// @dev The functions of a Safe that only the tests of SessionKeys use.
interface ISafeAccount {
    function addOwnerWithThreshold(address owner, uint256 threshold) external;
    function enableModule(address module) external;
    function isOwner(address owner) external view returns (bool);
    function checkSignatures(bytes32 dataHash, bytes calldata data, bytes calldata signatures) external view;
}

/// @notice Two Safes with sessions on the real EntryPoint, Safe and Safe4337Module.
abstract contract SessionKeysTest is SessionOperations {
    uint256 internal constant OWNER_KEY = 0xB0B;
    uint256 internal constant OTHER_OWNER_KEY = 0xB0B2;
    uint256 internal constant SESSION_KEY = 0x5E55;
    uint256 internal constant OTHER_SESSION_KEY = 0x5E552;
    uint256 internal constant THIRD_PARTY_KEY = 0xBAD;
    address internal constant RECIPIENT = address(0x4EC1B1E47);
    address internal constant SPENDER = address(0x59E4DE4);
    address internal constant SMART_BALANCE = address(0x53A47BA1A4CE);

    address internal account;
    address internal otherAccount;
    address internal multiSend;
    address internal multiSendCallOnly;
    DevToken internal token;
    Counter internal counter;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        _deployReal();
        string memory libraries =
            "node_modules/@safe-global/safe-contracts/build/artifacts/contracts/libraries/";
        multiSend = _create(_code(string.concat(libraries, "MultiSend.sol/MultiSend.json")), "");
        multiSendCallOnly =
            _create(_code(string.concat(libraries, "MultiSendCallOnly.sol/MultiSendCallOnly.json")), "");
        Surroundings memory surroundings = Surroundings(
            address(entryPoint),
            address(module),
            sharedSigner,
            multiSend,
            multiSendCallOnly,
            SMART_BALANCE,
            address(epochs)
        );
        sessionKeys = SessionKeys(_create(_creationCode("SessionKeys"), abi.encode(surroundings)));
        token = DevToken(_create(_creationCode("DevToken"), abi.encode("Token", "T", 6)));
        counter = new Counter();
        account = _createSafe(vm.addr(OWNER_KEY));
        otherAccount = _createSafe(vm.addr(OTHER_OWNER_KEY));
        _install(account);
        _install(otherAccount);
    }

    /// @dev The rest of the first grant's operation, and funds.
    function _install(address safe) internal {
        vm.startPrank(safe);
        ISafeAccount(safe).addOwnerWithThreshold(address(sessionKeys), 1);
        ISafeAccount(safe).enableModule(address(sessionKeys));
        vm.stopPrank();
        vm.deal(safe, 100 ether);
        token.mint(safe, 1_000e6);
    }

    function _key() internal pure returns (bytes32) {
        return _keyOf(SESSION_KEY);
    }

    function _keyOf(uint256 privateKey) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(vm.addr(privateKey))));
    }

    function _p256Key() internal pure returns (bytes32) {
        (uint256 x, uint256 y) = vm.publicKeyP256(P256_KEY);
        return keccak256(abi.encode(x, y));
    }

    /// @dev The default session: one day; 10 operations of 0.01 ether; pays RECIPIENT up to 1 ether in total and 100
    /// tokens an hour, lets SPENDER take some of those, and may increment the counter.
    function _session() internal view returns (Session memory session) {
        session.validAfter = uint48(block.timestamp);
        session.validUntil = uint48(block.timestamp + 1 days);
        session.maxOperations = 10;
        session.feePerOperation = 0.01 ether;
        session.rules = new Rule[](4);
        session.rules[0] = Rule(RuleKind.Native, RECIPIENT, 0, address(0), 0.6 ether);
        session.rules[1] = Rule(RuleKind.Call, address(counter), Counter.increment.selector, address(0), 0);
        session.rules[2] = _tokenRule(IERC20.transfer.selector, RECIPIENT);
        session.rules[3] = _tokenRule(IERC20.approve.selector, SPENDER);
        session.allowances = new Allowance[](2);
        session.allowances[0] = Allowance(address(0), 0, 1 ether);
        session.allowances[1] = Allowance(address(token), 1 hours, 100e6);
    }

    function _tokenRule(bytes4 selector, address counterparty) internal view returns (Rule memory) {
        return Rule(RuleKind.Token, address(token), selector, counterparty, 0);
    }

    /// @dev The default session with one rule instead of its own.
    function _sessionWith(Rule memory rule) internal view returns (Session memory session) {
        session = _session();
        session.rules = new Rule[](1);
        session.rules[0] = rule;
    }

    /// @dev The default session's key with the default account.
    function _grant(Session memory session) internal returns (bytes32) {
        return _grant(account, _key(), session);
    }

    function _grant(address safe, bytes32 key, Session memory session) internal returns (bytes32) {
        vm.prank(safe);
        return sessionKeys.grant(key, session);
    }

    function _calls(address to, uint256 value, bytes memory data)
        internal
        pure
        returns (Call[] memory calls)
    {
        calls = new Call[](1);
        calls[0] = Call(to, value, data);
    }

    function _increment() internal view returns (Call[] memory) {
        return _calls(address(counter), 0, abi.encodeCall(Counter.increment, ()));
    }

    function _transfer(address to, uint256 amount) internal view returns (Call[] memory) {
        return _calls(address(token), 0, abi.encodeCall(IERC20.transfer, (to, amount)));
    }

    function _approve(address spender, uint256 amount) internal view returns (Call[] memory) {
        return _calls(address(token), 0, abi.encodeCall(IERC20.approve, (spender, amount)));
    }

    /// @dev Calls execute as the account itself, to test only execution.
    function _execute(Call[] memory calls) internal {
        vm.prank(account);
        sessionKeys.execute(_key(), calls);
    }

    /// @dev A valid operation of the default session.
    function _draft(Call[] memory calls) internal view returns (Draft memory) {
        return _draftOf(account, SESSION_KEY, calls);
    }

    function _draftOf(address safe, uint256 signingKey, Call[] memory calls)
        internal
        view
        returns (Draft memory draft)
    {
        draft.account = safe;
        draft.signingKey = signingKey;
        draft.key = signingKey == P256_KEY ? _p256Key() : _keyOf(signingKey);
        draft.nonceKey = sessionKeys.sessionOf(safe, draft.key).nonceKey;
        draft.sequence = uint64(entryPoint.getNonce(safe, draft.nonceKey));
        Session memory session = sessionKeys.sessionOf(safe, draft.key).session;
        draft.validAfter = session.validAfter;
        draft.validUntil = session.validUntil;
        draft.calls = calls;
        draft.verificationGasLimit = 600_000;
        draft.callGasLimit = 1_000_000;
        draft.preVerificationGas = 50_000;
        draft.maxFeePerGas = 1 gwei;
    }

    function _spent(uint256 allowance) internal view returns (uint256) {
        Session memory session = sessionKeys.sessionOf(account, _key()).session;
        return session.allowances[allowance].amount - sessionKeys.sessionOf(account, _key()).left[allowance];
    }
}
